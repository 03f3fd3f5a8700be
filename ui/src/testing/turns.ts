const [later, never] = [setImmediate, clearImmediate];
const waiting = new Set<NodeJS.Immediate>();

// React's scheduler takes setImmediate when it is loaded: this file comes before it.
globalThis.setImmediate = Object.assign(
  (work: (...values: unknown[]) => void, ...values: unknown[]) => {
    const turn = later(() => {
      waiting.delete(turn);
      work(...values);
    });
    waiting.add(turn);
    return turn;
  },
  { __promisify__: later.__promisify__ },
) as typeof setImmediate;

globalThis.clearImmediate = (turn) => {
  if (typeof turn === "object") waiting.delete(turn);
  never(turn);
};

/** Lets others have their turn. */
export const turn = () => new Promise((done) => later(done));

/** Whether somebody waits for a turn. */
export const busy = () => waiting.size > 0;
