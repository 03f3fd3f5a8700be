type Listener = (name: string) => void;

const listeners = new Set<Listener>();

/** Calls a function with the name of every file that is handed over, until the answer is called. */
export function onSaved(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Hands a file to the person to be saved. */
export function save(content: Blob, name: string) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
  for (const listener of listeners) listener(name);
}
