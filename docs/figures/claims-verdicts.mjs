// The notes' sentences: how far from its rule's bound each place was measured to be, and on which side.
export const title = "How far each place lies on the side that confirms or refutes the sentence";
export const results = ["claims"];

const FARTHEST = 30;
const role = { confirmed: "right", refuted: "wrong", depends: "f3", undecided: "soft" };

// In standard errors, positive where it confirms.
function distance({ side, bound }, { mean, sigma, values }) {
  const off = (mean - bound) * (side === "below" ? -1 : 1);
  const error = sigma / Math.sqrt(values.length);
  return Math.max(-FARTHEST, Math.min(FARTHEST, error > 0 ? off / error : Math.sign(off) * FARTHEST));
}

const by_root = (x) => Math.sign(x) * Math.sqrt(Math.abs(x));

export function draw({ Plot, house, results }) {
  const { narrow } = house;
  const claims = results.claims.claims.filter(({ id }) => id.startsWith("claim-"));
  const name = ({ id }) => id.replace("claim-", "");
  const dots = claims.flatMap((claim) =>
    claim.places
      .filter(({ mean, verdict }) => typeof mean === "number" && verdict !== "void")
      .map((place) => ({
        name: name(claim),
        x: by_root(distance(claim.rule, place)),
        verdict: place.verdict,
        where: Object.values(place.where).join(", "),
      }))
  );
  const height = narrow ? 34 : 20;
  return Plot.plot({
    ...house.plot({ marginTop: 30, marginLeft: narrow ? 10 : 330, height: 80 + claims.length * height }),
    x: {
      domain: [-5.6, 5.6],
      label: null,
      tickSize: 4,
      ticks: [-30, -10, -2, 0, 2, 10, 30].map(by_root),
      tickFormat: (x) => house.number(Math.round(x * Math.abs(x))),
    },
    y: { type: "band", domain: claims.map(name), label: null, tickSize: 0, axis: narrow ? null : "left" },
    marks: [
      Plot.ruleY(claims, { y: name, stroke: house.colour.line, dy: narrow ? 8 : 0 }),
      house.rule({ x: 0 }),
      Object.entries(role).map(([verdict, colour]) =>
        Plot.dot(
          dots.filter((d) => d.verdict === verdict),
          { x: "x", y: "name", r: 3.5, dy: narrow ? 8 : 0, fill: house.colour[colour], fillOpacity: 0.75 },
        )
      ),
      narrow
        ? Plot.text(claims, { y: name, text: name, frameAnchor: "left", dy: -8, fill: house.colour.soft, fontSize: 12 })
        : null,
      Plot.text(["refutes"], { frameAnchor: "top-left", dy: -22, fill: house.colour.wrong }),
      Plot.text(["confirms"], { frameAnchor: "top-right", dy: -22, fill: house.colour.right }),
      house.tip(dots, { x: "x", y: "name", title: (d) => `${d.name}${d.where ? `: ${d.where}` : ""}: ${d.verdict}` }),
    ],
  });
}
