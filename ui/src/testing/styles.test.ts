import { expect, it } from "vitest";
import { telling } from "./styles";

it("keeps what hides an element or stops a click, also inside conditions, and drops looks", () => {
  expect(
    telling(
      ".a{color:red;display:none}.b{color:red}@media (max-width:9px){.c{opacity:0;margin:0}.d{margin:0}}" +
        "@keyframes k{from{opacity:0}}@layer x;.e.f>.g:not(.h){pointer-events:none;visibility:hidden}",
    ),
  ).toBe(".a{display:none}@media (max-width:9px){.c{opacity:0}}.e.f>.g:not(.h){pointer-events:none;visibility:hidden}");
});

it("still hides what a stylesheet hides", () => {
  const style = document.createElement("style");
  style.textContent = ".gone{color:red;display:none}";
  const gone = document.createElement("p");
  gone.className = "gone";
  const here = document.createElement("p");
  document.body.append(style, gone, here);
  expect(gone).not.toBeVisible();
  expect(here).toBeVisible();
  for (const one of [style, gone, here]) one.remove();
});
