// equivalent.txt: the faults that no test can see, and why. A line each: key, file, function, and the reason after a colon.
import { readFileSync } from "node:fs";

const path = new URL("equivalent.txt", import.meta.url);

const reasons = new Map();
for (const line of readFileSync(path, "utf8").split("\n")) {
  const [, key, reason] = line.match(/^([0-9a-f]{12}) [^:]*: (.+)$/) ?? [];
  if (key) reasons.set(key, reason);
  else if (line !== "" && !line.startsWith("#")) throw new Error(`equivalent.txt: this is no explanation: ${line}`);
}

export const explanation = ({ key }) => reasons.get(key);
export const explained_keys = () => [...reasons.keys()];
