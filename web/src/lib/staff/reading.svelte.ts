/** Something that is read on demand: what was found, or why it was not; the last question is the one that counts. */
export class Reading<T> {
  found: T | null = $state.raw(null);
  failed: unknown = $state.raw(null);
  busy = $state(false);
  #turn = 0;

  async ask(question: () => Promise<T>): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    let found: T | null = null;
    let failed: unknown = null;
    try {
      found = await question();
    } catch (error) {
      failed = error;
    }
    if (turn !== this.#turn) return;
    // Figures that could not be read again are not shown as if they had been.
    [this.found, this.failed, this.busy] = [found, failed, false];
  }
}
