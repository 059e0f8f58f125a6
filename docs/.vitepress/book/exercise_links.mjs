// The links between the sections of the book and the exercises of the tutor.
import { read } from "./tree.mjs";

export const exercises = () => JSON.parse(read("docs/made/results/exercises.json"));

const to_exercise = /\]\(exercises\.md#([\w-]+)\)/g;
const as_mistake = /The tutor of \[[\w-]+\]\(exercises\.md#([\w-]+)\) knows it as `([^`]+)`\./g;

// The sections of the chapters, and which exercises each links to: { place: "ch04.md#norm-rms", ids }.
export const linking_places = (pages) =>
  pages
    .filter(({ page }) => /^ch\d\d[\w-]*\.md$/.test(page))
    .flatMap(({ page, lines, sections }) =>
      sections.map(({ id, line, to }) => {
        const text = lines.slice(line - 1, to).join("\n");
        return { place: `${page}#${id}`, ids: [...text.matchAll(to_exercise)].map(([, exercise]) => exercise) };
      })
    );

// Is this place the section of an exercise, or in the page that is?
export const is_home = (place, section) => place === section || place.startsWith(`${section}#`);

function names_mistake({ stages }, id) {
  return stages.some(({ mistakes }) => mistakes.some((one) => one.id === id));
}

// The section of each exercise has to link to it, and a mistake that a chapter names has to be one of its exercise's.
export function exercise_faults(pages) {
  const all = exercises();
  const places = linking_places(pages);
  const lacking = all
    .filter(({ id, section }) => !places.some(({ place, ids }) => is_home(place, section) && ids.includes(id)))
    .map(({ id, section }) => ({ page: section.split("#")[0], message: `${section} does not link to the exercise ${id}` }));
  const unknown = pages.flatMap(({ page, lines }) =>
    lines.flatMap((text, at) =>
      [...text.matchAll(as_mistake)]
        .filter(([, id, mistake]) => !all.some((one) => one.id === id && names_mistake(one, mistake)))
        .map(([, id, mistake]) => ({ page, line: at + 1, message: `the exercise ${id} knows no mistake ${mistake}` }))
    )
  );
  return [...lacking, ...unknown];
}
