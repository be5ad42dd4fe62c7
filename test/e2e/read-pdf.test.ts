import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { makePdf } from '../support/make-pdf.js';
import { answer, newestText, requestsOf } from './support/answers.js';
import { createPlace } from './support/place.js';

it('the built command reads PDF files, and its process ends', async ({ onTestFinished }) => {
  const place = await createPlace(onTestFinished);
  await writeFile(place.at('a.pdf'), makePdf(['One', 'Two']));
  const read = { name: 'Read', input: { file_path: 'a.pdf', pages: '2' } };
  const handler = answer({ Go: [{ tools: [read] }, { text: 'Done.' }] });
  const api = await place.api({ handler });
  expect(await place.run(['-p', 'Go'], { api })).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(newestText(requestsOf(api, 'Go').at(-1))).toBe('<page number="2">\nTwo\n</page>');
});
