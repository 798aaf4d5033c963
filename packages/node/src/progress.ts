/** Is told what a start or an end does while it does it. */
export interface Progress {
  /** Runs one step of that title; what `work` gives back is a detail worth showing. What it throws goes on to the caller. */
  run(title: string, work: () => Promise<string | undefined> | string | undefined): Promise<void>;
  /** Takes a line that belongs to no step. */
  say(line: string): void;
}

/** Tells nobody. */
export const silentProgress: Progress = {
  async run(_title, work) {
    await work();
  },
  say() {},
};
