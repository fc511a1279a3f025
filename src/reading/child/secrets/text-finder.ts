const codeUnits = 0x10000;
/** From so many characters on, the end of a text that was cut counts as the beginning of a pattern. */
const leastOfCut = 3;

/**
 * Finds any of many patterns in a text, in one pass over it (Aho and Corasick): each character moves to the state of
 * the longest end of the text so far that some pattern begins with.
 */
export class TextFinder {
  /** The state after a state and a character. */
  readonly #next = new Map<number, number>();
  /** For each state: that of its longest proper end, how long it is, and the longest pattern that ends there. */
  readonly #fallback = [0];
  readonly #length = [0];
  readonly #longest = [0];

  constructor(patterns: Iterable<string>) {
    const parents = [0];
    const codes = [0];
    for (const pattern of patterns) {
      let state = 0;
      for (let at = 0; at < pattern.length; at += 1) {
        const code = pattern.charCodeAt(at);
        state = this.#step(state, code) ?? this.#add(parents, codes, state, code);
      }
      this.#longest[state] = pattern.length;
    }
    this.#linkFallbacks(parents, codes);
  }

  /** The text with the mark in the place of each pattern. With `isCut`, its end may be the beginning of one. */
  replace(text: string, mark: string, isCut: boolean): string {
    const found: { start: number; end: number }[] = [];
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      state = this.#move(state, text.charCodeAt(at));
      const length = this.#longest[state] ?? 0;
      if (length > 0) addTo(found, at + 1 - length, at + 1);
    }
    const begun = this.#length[state] ?? 0;
    if (isCut && begun >= leastOfCut) addTo(found, text.length - begun, text.length);
    return found.length === 0 ? text : replaceAll(text, found, mark);
  }

  #add(parents: number[], codes: number[], parent: number, code: number): number {
    const state = this.#length.length;
    this.#next.set(parent * codeUnits + code, state);
    this.#length.push((this.#length[parent] ?? 0) + 1);
    this.#longest.push(0);
    parents.push(parent);
    codes.push(code);
    return state;
  }

  /** The shorter ends first, because the longer ones fall back to them. */
  #linkFallbacks(parents: readonly number[], codes: readonly number[]): void {
    const states = [...this.#length.keys()].sort((a, b) => this.#lengthOf(a) - this.#lengthOf(b));
    for (const state of states.slice(1)) {
      const parent = parents[state] ?? 0;
      const fallback =
        parent === 0 ? 0 : this.#move(this.#fallback[parent] ?? 0, codes[state] ?? 0);
      this.#fallback[state] = fallback;
      this.#longest[state] ||= this.#longest[fallback] ?? 0;
    }
  }

  #move(from: number, code: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? 0) {
      const next = this.#step(state, code);
      if (next !== undefined) return next;
      if (state === 0) return 0;
    }
  }

  #step(state: number, code: number): number | undefined {
    return this.#next.get(state * codeUnits + code);
  }

  #lengthOf(state: number): number {
    return this.#length[state] ?? 0;
  }
}

/** Parts that overlap or touch are one. Each ends after the one before it. */
function addTo(found: { start: number; end: number }[], start: number, end: number): void {
  let first = start;
  for (let last = found.at(-1); last && last.end >= first; last = found.at(-1)) {
    first = Math.min(first, last.start);
    found.pop();
  }
  found.push({ start: first, end });
}

function replaceAll(
  text: string,
  found: readonly { start: number; end: number }[],
  mark: string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of found) {
    parts.push(text.slice(from, start), mark);
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}
