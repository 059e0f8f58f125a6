// How far a recurrent layer's state moves in a step, on one token again and again.
export const title = "Change of a recurrent layer's state from one position to the next, on one repeated token";
export const results = ["ch05"];

export const draw = ({ house, results: { ch05: { numbers: { recurrent: { moved: y } } } } }) =>
  house.chart({
    x: { name: "position t", from: 0, to: 64 },
    y: { name: "‖hₜ₊₁ − hₜ‖ relative to ‖h₁‖", log: true, from: 1e-8, to: 1 },
    lines: [{ name: "", colour: "f1", x: y.map((_, k) => k + 1), y }],
    words: [[26, 3e-7, "rounding of f32", { colour: "soft" }]],
  });
