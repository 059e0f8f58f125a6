// What a worker does that judges a student's module, and is used once: asked for a function of the grader, it calls that; asked to "run",
// it judges function by function, until the first that fails.

// `begin(data)` makes ready; `ask` calls the grader, whose answer is a text in JSON or, asked for `printed`, a text; `judge(id, stage,
// passed)` is the verdict on a function.
export function judge_here({ begin, ask, judge, printed }) {
  const parsed = (text) => {
    const answer = JSON.parse(text);
    if (answer.error) throw new Error(answer.error);
    return answer;
  };
  // { begun } goes out before each function, with the lines of those that have passed.
  async function run(id, tell) {
    for (let stage = 0, passed = "";; ++stage) {
      tell({ begun: stage, passed });
      const seen = parsed(await judge(id, stage, passed));
      if (seen.screen) {
        const more = ask("printed", printed());
        return { ...seen, screen: seen.screen + more, named: seen.named && seen.named + more };
      }
      passed = seen.passed;
    }
  }
  self.onmessage = async ({ data }) => {
    const { id, name, values } = data;
    try {
      await begin(data);
      const tell = (progress) => self.postMessage({ id, progress });
      self.postMessage({ id, answer: name === "run" ? await run(values[0], tell) : parsed(ask(name, ...values)) });
    } catch (error) {
      self.postMessage({ id, failed: String(error?.message ?? error) });
    }
  };
}
