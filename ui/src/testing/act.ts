import React from "react";
import { flushSync } from "react-dom";

// Taken before a test replaces it by a clock of its own.
const later = setImmediate;

/** Lets React draw what it put off: it works in slices of 5 ms, one in each turn. */
export async function drawn() {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => later(done));
}

/**
 * Unit tests run with React as people get it: its production form needs a fifth less time, and differs from the development form in warnings alone. The
 * testing library asks for `act`, which that form lacks. This one draws before it returns, and draws transitions when it is awaited.
 */
function act(work: () => unknown) {
  let result: unknown;
  flushSync(() => {
    result = work();
  });
  const ended = async () => {
    const value = await result;
    await drawn();
    return value;
  };
  if (result instanceof Promise) return ended();
  // Nobody need await it: what is not awaited must start nothing that outlives its test.
  return {
    then: (done: (value: unknown) => unknown, failed: (reason: unknown) => unknown) => ended().then(done, failed),
  };
}

Object.assign(React, { act });
