// Runs before the first paint, so that a person who chose dark never sees a white flash.
try {
  const mode = localStorage.getItem("saldo.mode");
  if (mode === "light" || mode === "dark") document.documentElement.style.colorScheme = mode;
} catch {
  // Storage may be forbidden: the system's choice stands.
}
