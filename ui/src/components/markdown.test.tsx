import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { Markdown } from "./markdown";
import { type Block, parse } from "./markdown-parse";
import { fillText } from "./markdown-placeholders";

/** A row of the file that the tests of the server read too. */
interface Case {
  name: string;
  before?: string;
  text: string;
  times?: number;
  typed?: boolean;
  html?: string;
  tree?: Block[];
}

const file = resolve(import.meta.dirname, "../../../internal/messages/markdown/testdata/cases.json");
const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];
const input = ({ before = "", text, times = 1 }: Case) => before + text.repeat(times);

/** What is shown, without what only the web application adds. */
const shown = (node: ParentNode) => {
  for (const link of node.querySelectorAll("a")) link.removeAttribute("target");
  return [...node.children].map((child) => child.outerHTML).join("");
};

it.each(cases)("reads as the server does: $name", (row) => {
  const tree = parse(input(row));
  if (row.typed)
    expect(tree).toEqual([{ kind: "paragraph", items: [[{ kind: "text", text: input(row).replace(/ $/, "") }]] }]);
  else expect(tree).toEqual(row.tree ?? []);
});

it.each(cases.filter(({ typed }) => !typed))("shows what the server writes in mails: $name", (row) => {
  const { container } = render(<Markdown text={row.text} />);
  const expected = document.createElement("div");
  expected.innerHTML = row.html ?? "";
  expect(shown(container)).toBe(shown(expected));
  for (const link of container.querySelectorAll("a")) expect(link.getAttribute("href")).toMatch(/^https:\/\//);
});

it("opens links without telling where they are from", () => {
  const { getByRole } = render(<Markdown text="[bank.pl](https://evil.example)" />);
  expect(getByRole("link", { name: "bank.pl" })).toHaveAttribute("rel", "noopener noreferrer");
});

it("shows values as text, whatever they contain", () => {
  const { container } = render(
    <Markdown
      text="**{first_name}** {payout} {period} {other}"
      values={{ first_name: "*Jan* <b>", payout: "{period}", period: "a\n- b" }}
    />,
  );
  expect(container.textContent).toBe("*Jan* <b> {period} a - b {other}");
  expect(container.querySelector("strong")?.textContent).toBe("*Jan* <b>");
});

it("replaces placeholders in a topic and nothing else", () => {
  expect(fillText("Dla {first_name} {x}", { first_name: "Jan\r\nB" })).toBe("Dla Jan B {x}");
});
