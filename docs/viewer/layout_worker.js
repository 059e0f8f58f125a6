// The layout in a worker, so that the page never stands still. A newer request ends an older one, and so does cancel().

export function create_layouter(on_busy) {
  const text = document.getElementById("layout-source").textContent;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  let worker = null, waiting = null;

  const stop = (answer) => {
    worker?.terminate();
    worker = null;
    waiting?.(answer);
    waiting = null;
    on_busy(0);
  };
  return {
    cancel: () => stop(null),
    // The layout, or null if it was cancelled.
    run(graph) {
      if (waiting) stop(null);
      worker ??= new Worker(address);
      on_busy(graph.boxes.length);
      return new Promise((resolve, reject) => {
        waiting = resolve;
        worker.onmessage = ({ data }) => {
          waiting = null;
          on_busy(0);
          resolve(data);
        };
        worker.onerror = (event) => reject(new Error(event.message));
        worker.postMessage(graph);
      });
    },
  };
}
