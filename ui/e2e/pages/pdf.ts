/** A PDF of pages with one line of text each, as any program could write it. */
export function pdf(...lines: string[]): Buffer {
  const objects = ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"];
  const kids = lines.map((line) => {
    const content = `BT /F 20 Tf 60 760 Td (${line}) Tj ET 0.5 w 60 700 m 400 700 l S`;
    objects.push(`<</Length ${content.length}>>stream\n${content}\nendstream`);
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${objects.length} 0 R>>`,
    );
    return `${objects.length} 0 R`;
  });
  objects[1] = `<</Type/Pages/Kids[${kids.join(" ")}]/Count ${lines.length}>>`;
  let file = "%PDF-1.7\n";
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = file.length;
  const end = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}${end}`, "latin1");
}
