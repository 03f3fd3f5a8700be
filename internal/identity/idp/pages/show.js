for (const button of document.querySelectorAll("button.show")) {
  const field = document.getElementById(button.getAttribute("aria-controls"));
  const shown = (show) => {
    field.type = show ? "text" : "password";
    button.textContent = show ? button.dataset.hide : button.dataset.show;
    button.setAttribute("aria-pressed", String(show));
  };
  button.hidden = false;
  button.addEventListener("click", () => shown(field.type === "password"));
  field.form.addEventListener("submit", () => shown(false));
}
