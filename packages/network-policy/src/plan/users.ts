/** Who uses what, each as often as it was said. */
export class Users {
  readonly #counts = new Map<string, Map<string, number>>();

  /** Whether anybody uses it. */
  has(thing: string): boolean {
    return this.#counts.has(thing);
  }

  /** Who uses it. */
  of(thing: string): Iterable<string> {
    return this.#counts.get(thing)?.keys() ?? [];
  }

  /** True when nobody used it before. */
  add(thing: string, user: string): boolean {
    const users = this.#counts.get(thing);
    if (!users) this.#counts.set(thing, new Map([[user, 1]]));
    else users.set(user, (users.get(user) ?? 0) + 1);
    return !users;
  }

  /** Takes one {@link add} back; true when nobody uses it any more. */
  remove(thing: string, user: string): boolean {
    const users = this.#counts.get(thing);
    const count = (users?.get(user) ?? 0) - 1;
    if (count > 0) users?.set(user, count);
    else users?.delete(user);
    return users?.size === 0 && this.#counts.delete(thing);
  }
}
