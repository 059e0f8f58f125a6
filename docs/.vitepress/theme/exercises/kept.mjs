// What a reader has written, and which hint they have come to.
import { recall_text, remember_text } from "../storage.mjs";

const key = (id) => `gradus-exercise-${id}`;

export const kept = (id) => recall_text(key(id));

// `heard` is called when another tab has kept something else.
export const hear_others = (id, heard) => window.addEventListener("storage", (event) => event.key === key(id) && heard());

export const keep = (id, values) => remember_text(key(id), { ...kept(id), ...values });
