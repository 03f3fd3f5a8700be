import { busy, turn } from "./turns";
import React from "react";
import { flushSync } from "react-dom";

// React works in slices of 5 ms, one in each turn, and is through when it asks for no more. What never ends is left to the test.
const [FEW, MANY] = [20, 20_000];

/** Lets React draw what it put off, however long that takes on a busy machine. */
export async function drawn() {
  for (let turns = 0; turns < FEW || (busy() && turns < MANY); turns++) await turn();
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
