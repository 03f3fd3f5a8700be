import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { useShortcut } from "./shortcuts";

function Listener({ name, applies = true }: { name: string; applies?: boolean }) {
  const [runs, setRuns] = useState(0);
  useShortcut(
    "/",
    () => setRuns(runs + 1),
    () => applies,
  );
  return <output aria-label={name}>{runs}</output>;
}

it.each([
  ["first", [<Listener key="a" name="everywhere" applies={false} />, <Listener key="b" name="list" />]],
  ["second", [<Listener key="b" name="list" />, <Listener key="a" name="everywhere" applies={false} />]],
])("leaves the key to whom it applies when another listened %s", async (_, listeners) => {
  render(<div>{listeners}</div>);
  await userEvent.keyboard("/");
  expect(screen.getByLabelText("list")).toHaveTextContent("1");
  expect(screen.getByLabelText("everywhere")).toHaveTextContent("0");
});
