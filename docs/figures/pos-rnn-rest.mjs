// How far a recurrent layer's state moves in a step, on one token again and again.
export const title = "Change of a recurrent layer's state from one position to the next, on one repeated token";
export const results = ["ch05"];

export function draw({ Plot, house, results }) {
  const data = results.ch05.numbers.recurrent.moved.map((moved, k) => ({ t: k + 1, moved }));
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 64], label: "position t" },
      y: { type: "log", domain: [1e-8, 1], label: "‖hₜ₊₁ − hₜ‖ relative to ‖h₁‖" },
    }),
    marks: [
      ...house.lines([{ name: "", colour: "f1", data }], { x: "t", y: "moved" }),
      house.text(26, 3e-7, "rounding of f32", { colour: "soft" }),
    ],
  });
}
