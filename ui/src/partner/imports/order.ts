/** What a person says about a file. What is empty is left to the file. */
export interface Order {
  provider: string;
  city: string;
  datesFrom: string;
  datesTo: string;
  bonusFrom: string;
  bonusTo: string;
  allowDuplicates: boolean;
  mergeByName: boolean;
}

export const nothingSaid: Order = {
  provider: "",
  city: "",
  datesFrom: "",
  datesTo: "",
  bonusFrom: "",
  bonusTo: "",
  allowDuplicates: false,
  mergeByName: false,
};

/** The order as the form of an upload. The file comes last: whoever reads the stream knows the order by then. */
export function formOf(order: Order, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(order)) if (value) form.set(name, String(value));
  form.set("file", file, file.name);
  return form;
}
