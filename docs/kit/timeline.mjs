// What each rank did when: a lane for each, in which walks and waits stand above the messages.
import { right, table } from "./parts.mjs";
import { at, fill, label, path, rect, said, stroke } from "./svg.mjs";
import { fixed } from "./words.mjs";

const EVENTS = [["walk", "backward pass", "f1"], ["message", "messages", "f2"], ["wait", "waiting", "none"]];
const LANE_HEIGHT = 58, LANES_TOP = 34, LANES_LEFT = 52;

const time_of = (events, kind) => events.filter((event) => event.kind === kind).reduce((sum, { begin, end }) => sum + end - begin, 0);
const in_ms = (seconds) => fixed(1000 * seconds, 1);

// `ranks`: of each rank the events { kind, begin, end }, in seconds.
export function timeline(ranks) {
  const last = Math.max(...ranks.flat().map(({ end }) => end));
  const told = ranks.map((events, rank) =>
    ` Rank ${rank}: ${EVENTS.map(([kind, name]) => `${in_ms(time_of(events, kind))} ms ${name}`).join(", ")}.`
  );
  const alt = `Timeline of a step of ${in_ms(last)} ms, a lane for each rank.${told.join("")}`;
  return lanes(ranks, last, alt, "wide", 720) + lanes(ranks, last, alt, "narrow", 358);
}

function lanes(ranks, last, alt, kind, width) {
  const across = width - LANES_LEFT - 8, height = LANES_TOP + LANE_HEIGHT * ranks.length,
    x = (seconds) => LANES_LEFT + (across * seconds) / last;
  const bar = ({ kind: what, begin, end }, y) => {
    const [, , colour] = EVENTS.find(([name]) => name === what);
    return rect(x(begin), what === "message" ? y + 26 : y + 4, Math.max(1, x(end) - x(begin) - 1), 18, fill(colour));
  };
  const lane = (events, rank) => {
    const y = LANES_TOP + LANE_HEIGHT * rank;
    return label(0, y + 28, "start", `rank ${rank}`, "ink", 13) + events.map((event) => bar(event, y)).join("") +
      path(`M${LANES_LEFT} ${y + 51}H${at(LANES_LEFT + across)}`, stroke("line"));
  };
  const keys = [0, 128, 222].map((place) => LANES_LEFT + place);
  const key = EVENTS.map(([, name, colour], i) =>
    rect(keys[i], 5, 12, 12, fill(colour)) + label(keys[i] + 18, 15, "start", name, "ink", 13)
  );
  const end = label(width - 8, height + 14, "end", `${in_ms(last)} ms`, "soft", 13) +
    label(LANES_LEFT, height + 14, "start", "0", "soft", 13);
  return `<svg class="plot ${kind}" viewBox="0 0 ${width} ${height + 20}" ${said(alt)}>${key.join("")}${
    ranks.map(lane).join("")
  }${end}</svg>\n`;
}

// The same in numbers.
export const timeline_table = (ranks) =>
  table(
    "The same in milliseconds. What is sent while the walk runs is not waited for.",
    ["rank", ...EVENTS.map(([, name]) => right(name)), right("share of the messages that is hidden", "%")],
    ranks.map((events, rank) => {
      const sent = time_of(events, "message"), hidden = sent > 0 ? 100 * Math.max(0, 1 - time_of(events, "wait") / sent) : 0;
      return [rank, ...EVENTS.map(([kind]) => in_ms(time_of(events, kind))), fixed(hidden, 0)];
    }),
  );
