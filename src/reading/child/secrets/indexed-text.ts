/** From so many characters on, the end of a text that was cut counts as the beginning of a pattern. */
const leastOfCut = 3;

/** Parts of the text that end at the same places. Each is an end of the longest one. */
interface State {
  readonly next: Map<number, State>;
  /** That of the ends which are too short to be in this one, because they stand at more places. */
  shorter: State | undefined;
  /** Of the longest one. */
  readonly length: number;
  /** The first of the places. */
  readonly end: number;
  /** How long the longest pattern is that was found and ends here. */
  found: number;
}

/**
 * A text in which a pattern is found with one step for each character, and which stops at the first character that is
 * not there (a suffix automaton). Time and memory are those of the text, however often it repeats itself, and however
 * many patterns there are: nothing is built of them.
 */
export class IndexedText {
  readonly #text: string;
  readonly #states: State[] = [];
  readonly #start = this.#add({ next: new Map(), shorter: undefined, length: 0, end: 0 });
  /** The states of the text up to each of its characters. */
  readonly #prefixes: State[] = [];
  /** The states of all ends of a text that is cut. */
  readonly #cutEnds = new Set<State>();
  #isFound = false;
  /** From here on, nothing is shown. */
  #hiddenFrom: number;

  /** With `isCut`, the end of the text may be the beginning of a pattern. */
  constructor(text: string, { isCut }: { isCut: boolean }) {
    this.#text = text;
    this.#hiddenFrom = text.length;
    let last = this.#start;
    for (let at = 0; at < text.length; at += 1) {
      last = this.#append(last, text.charCodeAt(at));
      this.#prefixes.push(last);
    }
    if (isCut)
      for (let end: State | undefined = last; end; end = end.shorter) this.#cutEnds.add(end);
  }

  /** With `isBegun`, the pattern is the beginning of what has to be hidden, which may take the rest of the text. */
  find(pattern: string, { isBegun }: { isBegun: boolean }): void {
    let state = this.#start;
    for (let length = 1; length <= pattern.length; length += 1) {
      const next = state.next.get(pattern.charCodeAt(length - 1));
      if (!next) return;
      state = next;
      if (length >= leastOfCut && this.#cutEnds.has(state)) this.#hideLast(length);
    }
    this.#isFound = true;
    state.found = Math.max(state.found, pattern.length);
    if (isBegun) this.#hideLast(this.#text.length - state.end + pattern.length);
  }

  /** The text with the mark in the place of each pattern. Patterns that overlap or touch are one. */
  replaceFound(mark: string): string {
    const text = this.#text;
    const hidden = this.#listHidden();
    if (hidden.length === 0) return text;
    const parts: string[] = [];
    let from = 0;
    for (const { start, end } of hidden) {
      parts.push(text.slice(from, start), mark);
      from = end;
    }
    return [...parts, text.slice(from)].join("");
  }

  #listHidden(): { start: number; end: number }[] {
    const [start, end] = [this.#hiddenFrom, this.#text.length];
    const backwards = start < end ? [{ start, end }] : [];
    if (this.#isFound) this.#findShorter();
    for (let at = this.#isFound ? end : 0; at > 0; at -= 1) {
      const length = this.#prefixes[at - 1]?.found ?? 0;
      const last = backwards.at(-1);
      if (length > 0 && last && last.start <= at) last.start = Math.min(last.start, at - length);
      else if (length > 0) backwards.push({ start: at - length, end: at });
    }
    return backwards.toReversed();
  }

  /** What ends with a pattern ends wherever the longer one does, too. */
  #findShorter(): void {
    for (const state of this.#states.toSorted((a, b) => a.length - b.length))
      state.found ||= state.shorter?.found ?? 0;
  }

  #hideLast(characters: number): void {
    this.#hiddenFrom = Math.min(this.#hiddenFrom, this.#text.length - characters);
  }

  /** The state of the whole text so far, which is that of `last` and one character more. */
  #append(last: State, code: number): State {
    const length = last.length + 1;
    const whole = this.#add({ next: new Map(), shorter: this.#start, length, end: length });
    let from: State | undefined = last;
    for (; from && !from.next.has(code); from = from.shorter) from.next.set(code, whole);
    const known = from?.next.get(code);
    if (from && known) whole.shorter = this.#split(known, from, code);
    return whole;
  }

  /** The state of the parts of `known` that end at the new character too: those which go on from `from`. */
  #split(known: State, from: State, code: number): State {
    const length = from.length + 1;
    if (known.length === length) return known;
    const { shorter, end } = known;
    const part = this.#add({ next: new Map(known.next), shorter, length, end });
    known.shorter = part;
    for (let one: State | undefined = from; one?.next.get(code) === known; one = one.shorter)
      one.next.set(code, part);
    return part;
  }

  #add(made: Omit<State, "found">): State {
    const state = { ...made, found: 0 };
    this.#states.push(state);
    return state;
  }
}
