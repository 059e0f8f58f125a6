// Test programs in which faults can be switched on, and the servers that run them: see server.cpp.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { adapted, command_of, jobs, run } from "./compile.mjs";
import { build, hash, read, root } from "./tree.mjs";

const MAIN = "tests/support/main.cpp";

async function server_object() {
  const object = join(build, "server.o");
  const command = adapted(command_of(MAIN), { source: join(root, "tests/mutation/server.cpp"), object });
  const key = hash(command, ...[MAIN, "tests/mutation/server.cpp", "tests/mutation/switch.h"].map(read));
  if (existsSync(object) && existsSync(`${object}.key`) && readFileSync(`${object}.key`, "utf8") === key) return object;
  mkdirSync(build, { recursive: true });
  const { status, output } = await run(command);
  if (status !== 0) throw new Error(`server.cpp cannot be compiled:\n${output}`);
  writeFileSync(`${object}.key`, key);
  return object;
}

// The test program of a floor with these objects in place of the library's own.
export async function link(floor, objects, folder) {
  const { status, output } = await run(`ninja -t commands test_${floor} | tail -n 1`);
  const [main] = output.match(/\S+support\/main\.cpp\.o/) ?? [];
  if (status !== 0 || !main) throw new Error(`test_${floor} is not linked as expected:\n${output}`);
  const program = join(build, folder, `test_${floor}`);
  // First those with the switches: of an inline function that several objects have, the first is taken.
  const command = output
    .replace(main, "")
    .replace(/(c\+\+\S*|g\+\+\S*|clang\+\+\S*) /, `$1 ${objects.join(" ")} ${await server_object()} `)
    .replace(/ -o \S+/, ` -o ${program}`);
  const linked = await run(command);
  if (linked.status !== 0) throw new Error(`test_${floor} cannot be linked:\n${linked.output.slice(0, 4000)}`);
  return program;
}

class Server {
  constructor(program, where) {
    mkdirSync(where, { recursive: true });
    const env = { ...process.env, GRADUS_THREADS: "1", TMPDIR: where };
    // Apart from this process's group: what stops this process by a key must not look like a crash of the program.
    this.child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"], env, cwd: root, detached: true });
    process.on("exit", this.stop = () => this.child.kill("SIGKILL"));
    this.child.stdin.on("error", () => {});
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }
  async ask(request, on_line) {
    this.child.stdin.write(`${request}\n`);
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`the server of tests ended at "${request.slice(0, 100)}"`);
      if (!on_line(value)) return value;
    }
  }
  end() {
    this.stop();
    process.off("exit", this.stop);
  }
}

const SLOW_MS = 5000;
const MOST_MS = 600000;
const TEST = /^test (\d+) (\d+) (passed|failed|slow) ([^\t]*)\t([\d ]*)$/;

export class Program {
  constructor(path) {
    this.servers = Array.from({ length: jobs }, (_, i) => new Server(path, join(build, "tmp", `${process.pid}-${i}`)));
  }

  // Runs each test alone: { number, name, outcome, milliseconds, reached } of each. What is slow is not run to its end, and so
  // may reach more.
  async cover() {
    const tests = [];
    await Promise.all(
      this.servers.map((server, i) =>
        server.ask(`cover ${i + 1} ${jobs} ${SLOW_MS}`, (line) => {
          const [, number, milliseconds, outcome, name, reached] = line.match(TEST) ?? [];
          if (number === undefined) return line !== "done";
          const numbers = reached.trim() === "" ? [] : reached.trim().split(" ").map(Number);
          tests.push({
            number: Number(number),
            milliseconds: Number(milliseconds),
            outcome,
            name,
            reached: new Set(numbers),
          });
          return true;
        })
      ),
    );
    return tests;
  }

  // Tries each mutant by its tests; `told({ mutant, tests }, outcome, test)`.
  async try_all(work, told) {
    const left = [...work];
    await Promise.all(
      this.servers.map(async (server) => {
        while (left.length > 0) {
          const item = left.shift();
          const { mutant, tests } = item;
          const limit = ({ milliseconds, outcome }) => (outcome === "slow" ? MOST_MS : 2000 + 10 * milliseconds);
          const request = tests.map((test) => `${test.number}:${limit(test)}`).join(" ");
          const [outcome, number] = (await server.ask(`try ${mutant.number} ${request}`, () => false)).split(" ");
          told(
            item,
            outcome,
            tests.find((test) => test.number === Number(number)),
          );
        }
      }),
    );
  }

  end() {
    for (const server of this.servers) server.end();
  }
}
