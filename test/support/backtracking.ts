/** Says why a pattern can need more than linear time on a long text, or null when it cannot. */
export function findBacktracking(source: string, flags: string): string | null {
  try {
    const automaton = new Automaton(source, flags);
    return automaton.findDoubleEdge() ?? automaton.findTwoLoops();
  } catch (error) {
    if (error instanceof NotUnderstood) return error.message;
    throw error;
  }
}

class NotUnderstood extends Error {}

/** Positions of the pattern's characters: which can come first, and which can come last. */
interface Part {
  isNullable: boolean;
  first: number[];
  last: number[];
}

const nothing: Part = { isNullable: true, first: [], last: [] };
/** Copies that stand for the repetitions of a bounded quantifier. */
const mostCopies = 3;
const otherSymbols = ["\u0301", "\u2028", "\u212a", "\ufeff", "大", "😀"];
/** Every search tries each place of the text: this position is the text before the match. */
const before = 0;

/**
 * The positions of a pattern and the edges between them. Backtracking follows every path. So the time is
 * linear when no two different paths can go round on the same text, unless the match is complete there and
 * nothing is tried any more.
 */
class Automaton {
  readonly #source: string;
  readonly #flags: string;
  readonly #atoms: RegExp[] = [];
  readonly #edges: Map<number, number>[] = [];
  readonly #symbols: string[];
  readonly #matches: Set<string>[];
  readonly #accepting: ReadonlySet<number>;
  #at = 0;
  #hasAssertion = false;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replaceAll(/[gyd]/g, "");
    this.#addPosition("[^]");
    const whole = this.#alternatives();
    if (!flags.includes("y")) this.#connect([before], [before, ...whole.first]);
    this.#accepting = new Set(this.#hasAssertion ? [] : whole.last);
    const common = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code));
    this.#symbols = [...new Set([...common, ...otherSymbols, ...Array.from(source)])];
    this.#matches = this.#atoms.map(
      (atom) => new Set(this.#symbols.filter((symbol) => atom.test(symbol))),
    );
  }

  /** Two ways from one position to the next, in a circle: each round doubles the paths. */
  findDoubleEdge(): string | null {
    for (const [from, edges] of this.#edges.entries()) {
      for (const [to, count] of edges) {
        if (count > 1 && !this.#accepting.has(to) && this.#reaches(to, from))
          return "a quantifier inside of a quantifier";
      }
    }
    return null;
  }

  /** A text leads from p to p, from p to q and from q to q: there are as many paths as places to go over. */
  findTwoLoops(): string | null {
    const looping = [...this.#edges.keys()].filter((position) => this.#reaches(position, position));
    for (const p of looping) {
      for (const q of looping) {
        if (p === q || this.#accepting.has(q) || !this.#reaches(p, q)) continue;
        if (this.#canRunTogether(p, q))
          return p === before
            ? "it can begin at every place and then goes on over the same characters"
            : "two quantifiers over the same characters";
      }
    }
    return null;
  }

  #canRunTogether(p: number, q: number): boolean {
    const seen = new Set<string>();
    const open = [[p, p, q]];
    for (let triple = open.pop(); triple; triple = open.pop()) {
      for (const next of this.#step(triple)) {
        if (next[0] === p && next[1] === q && next[2] === q) return true;
        const key = next.join();
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(next);
      }
    }
    return false;
  }

  #step(triple: number[]): number[][] {
    const [a = [], b = [], c = []] = triple.map((position) => [
      ...(this.#edges[position]?.keys() ?? []),
    ]);
    return a.flatMap((x) =>
      b.flatMap((y) => c.filter((z) => this.#share(x, y, z)).map((z) => [x, y, z])),
    );
  }

  #share(...positions: number[]): boolean {
    return this.#symbols.some((symbol) =>
      positions.every((position) => this.#matches[position]?.has(symbol)),
    );
  }

  #reaches(from: number, to: number): boolean {
    const seen = new Set<number>();
    const open = [from];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      for (const next of this.#edges[position]?.keys() ?? []) {
        if (this.#matches[next]?.size === 0) continue;
        if (next === to) return true;
        if (!seen.has(next)) open.push(next);
        seen.add(next);
      }
    }
    return false;
  }

  #alternatives(): Part {
    let all = this.#sequence();
    while (this.#take("|")) {
      const other = this.#sequence();
      all = {
        isNullable: all.isNullable || other.isNullable,
        first: [...all.first, ...other.first],
        last: [...all.last, ...other.last],
      };
    }
    return all;
  }

  #sequence(): Part {
    let whole = nothing;
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? ""))
      whole = this.#concat(whole, this.#quantified());
    return whole;
  }

  #quantified(): Part {
    const start = this.#at;
    const one = this.#atom();
    const match = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.#source.slice(this.#at));
    if (!match) return one;
    const [text, least, comma, most] = match;
    const [min, max] = rangeOf(text, least, comma, most);
    const end = this.#at + text.length;
    const copy = (): Part => {
      this.#at = start;
      return this.#atom();
    };
    const isLoop = max === Infinity;
    let rest = isLoop ? this.#loop(copy()) : nothing;
    const optional = isLoop ? 0 : Math.min(max - min, mostCopies);
    for (let count = 0; count < optional; count += 1)
      rest = { ...this.#concat(copy(), rest), isNullable: true };
    for (let count = 0; count < Math.min(min, mostCopies); count += 1)
      rest = this.#concat(copy(), rest);
    this.#at = end;
    return rest;
  }

  #atom(): Part {
    const rest = this.#source.slice(this.#at);
    if (/^\\[1-9k]/.test(rest)) throw new NotUnderstood("a backreference");
    if (/^\\[bB]/.test(rest)) return this.#assertion(2);
    if (rest.startsWith("^") && this.#flags.includes("m")) return this.#assertion(1);
    // Nothing that a text has matches the start and the end, so no path goes on over them.
    if (/^[$^]/.test(rest)) return this.#consume(1, "[]");
    if (rest.startsWith("(")) return this.#group(rest);
    const text =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\[pP]\{[^}]*\}|\\x..|\\u....|\\c.|\\?[^])/u.exec(
        rest,
      );
    if (!text || (this.#flags.includes("v") && rest.startsWith("[")))
      throw new NotUnderstood("a pattern that this check does not understand");
    return this.#consume(text[0].length, text[0]);
  }

  #group(rest: string): Part {
    const opening = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(rest)?.[0] ?? "(";
    const isLookaround = /[=!]$/.test(opening);
    const positions = this.#atoms.length;
    this.#at += opening.length;
    const inner = this.#alternatives();
    if (!this.#take(")")) throw new NotUnderstood("a group that this check does not understand");
    if (!isLookaround) return inner;
    const hasLoop = this.#edges
      .slice(positions)
      .some((edges, index) => [...edges.keys()].some((to) => to <= index + positions));
    if (hasLoop) throw new NotUnderstood("a quantifier inside of a lookaround");
    return this.#assertion(0);
  }

  /** It takes no character, and after it a match can still fail. */
  #assertion(length: number): Part {
    this.#hasAssertion = true;
    this.#at += length;
    return nothing;
  }

  #consume(length: number, atom: string): Part {
    this.#at += length;
    const position = this.#addPosition(atom);
    return { isNullable: false, first: [position], last: [position] };
  }

  #addPosition(atom: string): number {
    this.#edges.push(new Map());
    return this.#atoms.push(new RegExp(`^(?:${atom})$`, this.#flags.replace("m", ""))) - 1;
  }

  #loop(part: Part): Part {
    this.#connect(part.last, part.first);
    return { ...part, isNullable: true };
  }

  #concat(left: Part, right: Part): Part {
    this.#connect(left.last, right.first);
    return {
      isNullable: left.isNullable && right.isNullable,
      first: left.isNullable ? [...left.first, ...right.first] : left.first,
      last: right.isNullable ? [...left.last, ...right.last] : right.last,
    };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const a of from)
      for (const b of to) this.#edges[a]?.set(b, (this.#edges[a].get(b) ?? 0) + 1);
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

function rangeOf(text: string, least?: string, comma?: string, most?: string): [number, number] {
  if (least === undefined) return text[0] === "?" ? [0, 1] : [text[0] === "+" ? 1 : 0, Infinity];
  if (comma === undefined) return [Number(least), Number(least)];
  return [Number(least), most === "" ? Infinity : Number(most)];
}
