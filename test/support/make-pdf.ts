/** The text of one page, or the stream of its content with the filters that it is packed with. */
export type PagePart = string | { readonly filters: readonly string[]; readonly stream: Buffer };

/** A small PDF with these pages. @param trailer further entries, such as `/Encrypt 9 0 R` */
export function makePdf(pages: readonly PagePart[], trailer = ''): Buffer {
  const objects: Buffer[] = [];
  const add = (...parts: readonly (string | Buffer)[]): number =>
    objects.push(Buffer.concat(parts.map((part) => Buffer.from(part))));
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  add('<</Type/Catalog/Pages 2 0 R>>');
  add(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`);
  add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  for (const page of pages) {
    const { filters, stream } = typeof page === 'string' ? plain(page) : page;
    const filter = `/Filter[${filters.map((name) => `/${name}`).join('')}]`;
    const content = objects.length + 2;
    add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${content} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
    );
    add(`<</Length ${stream.length}${filter}>>stream\n`, stream, '\nendstream');
  }
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets = objects.map((object, index) => {
    const offset = parts.reduce((sum, { length }) => sum + length, 0);
    parts.push(Buffer.concat([Buffer.from(`${index + 1} 0 obj`), object, Buffer.from('endobj\n')]));
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer<</Root 1 0 R/Size ${size}${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function plain(text: string) {
  const lines = text.split('\n').map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`);
  const stream = text === '' ? '' : `BT /F1 12 Tf 14 TL 50 700 Td ${lines.join(' ')} ET`;
  return { filters: [], stream: Buffer.from(stream, 'latin1') };
}
