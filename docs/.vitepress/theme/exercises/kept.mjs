// What a reader has written, and which hint they have come to.
import { recall, remember } from "../storage.mjs";

const key = (id) => `gradus-exercise-${id}`;

export const kept = (id) => recall("localStorage", key(id));

// `heard` is called when another tab has kept something else.
export const hear_others = (id, heard) => window.addEventListener("storage", (event) => event.key === key(id) && heard());

export const keep = (id, values) => remember("localStorage", key(id), { ...kept(id), ...values });
