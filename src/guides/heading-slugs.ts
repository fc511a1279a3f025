/** Gives headings the anchors that GitHub gives them, so that a link works in both places. */
export class HeadingSlugs {
  readonly #given = new Map<string, number>();

  next(heading: string): string {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const count = this.#given.get(slug) ?? 0;
    this.#given.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}
