// A worker that is asked, and tells how far it is before it answers.
export class Asked {
  constructor(worker) {
    this.worker = worker;
    this.waiting = new Map();
    this.last = 0;
    worker.onmessage = ({ data: { id, answer, failed, progress } }) => {
      const one = this.waiting.get(id);
      if (!one) return;
      if (progress) return one.tell(progress);
      this.waiting.delete(id);
      failed === undefined ? one.resolve(answer) : one.reject(new Error(failed));
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.end(event.message || "a worker could not be started");
    };
  }

  ask(question, tell = () => {}) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, tell }));
    this.worker.postMessage({ id, ...question });
    return answer;
  }

  end(why = "stopped") {
    this.ended = true;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }
}
