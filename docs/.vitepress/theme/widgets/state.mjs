// Where the knobs of a widget stand: kept in the page's address, so that a link shows what its sender saw.
const PAUSE = 300; // milliseconds between two changes of the address
const LONGEST = 4000; // that an address may be

export class State {
  // `is_there` says whether the reader still has the page of this widget.
  constructor(window, name, knobs, is_there) {
    Object.assign(this, { window, name, knobs, is_there, moved: new Map() });
    this.read();
  }

  // As the address says.
  read = () => this.stand(new URL(this.window.location.href).searchParams.get(this.name) ?? "");

  // As "c=88&dtype=f16" says; all others where they stand at first.
  stand(query) {
    this.moved.clear();
    for (const [knob, value] of new URLSearchParams(query)) if (this.knob(knob)) this.moved.set(knob, value);
  }

  knob = (name) => this.knobs.find((knob) => knob.name === name);
  first = (name) => String([this.knob(name).first].flat(Infinity).join(","));
  text = (name) => this.moved.get(name) ?? this.first(name);

  // As numbers where they are some, for what reads the state.
  values() {
    const value = ({ kind, name }) => (["number", "switch"].includes(kind) ? Number(this.text(name)) : this.text(name));
    return Object.fromEntries(this.knobs.map((knob) => [knob.name, value(knob)]));
  }

  set(name, text) {
    if (text === this.first(name)) this.moved.delete(name);
    else this.moved.set(name, String(text));
  }

  // "c=88&dtype=f16", for the library.
  query = () => [...this.moved].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");

  // Browsers refuse an address that changes too often: the last of many changes is kept a little later.
  keep() {
    clearTimeout(this.later);
    const soon = (this.kept_at ?? -PAUSE) + PAUSE - performance.now();
    if (soon > 0) this.later = setTimeout(() => this.keep(), soon);
    else this.write();
  }

  write() {
    if (!this.is_there()) return;
    this.kept_at = performance.now();
    const { location, history } = this.window;
    const url = new URL(location.href);
    const query = this.query();
    if (query && query.length < LONGEST) url.searchParams.set(this.name, query);
    else url.searchParams.delete(this.name);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }
}
