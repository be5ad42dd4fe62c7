// Two tools of a program: one with a zod schema, one with a JSON schema, for example from another source.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildJsonSchemaTool,
  buildTool,
  createOrchestrator,
  createScriptedModel,
  getEmptyToolPermissionContext,
} from 'troupe';
import { z } from 'zod';

/** This tool declares that it only reads and is safe beside others, so its calls run in parallel, without approval. */
const Population = buildTool({
  name: 'Population',
  inputSchema: z.object({ city: z.string().describe('Name of the city') }),
  prompt: () => 'Tells how many people live in a city.',
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  async call({ city }) {
    const known = { Bern: 137_000, Ghent: 270_000 };
    if (!(city in known)) throw new Error(`${city} is not in the list. Known: Bern, Ghent.`);
    return { data: known[city] };
  },
});

/** This tool declares nothing, so it runs alone and only if a rule or a person allows it. */
const Note = buildJsonSchemaTool({
  name: 'Note',
  inputJSONSchema: {
    type: 'object',
    properties: { text: { type: 'string', minLength: 1 } },
    required: ['text'],
    additionalProperties: false,
  },
  prompt: () => 'Takes a note.',
  async call({ text }) {
    console.log(`note: ${text}`);
    return { data: 'Noted.' };
  },
});

const uses = [
  { name: 'Population', input: { city: 'Bern' } },
  { name: 'Population', input: { city: 'Atlantis' } },
  { name: 'Note', input: { text: 'Bern has 137,000 people.' } },
  { name: 'Note', input: { txt: 'misspelt' } },
];
const model = createScriptedModel(({ messages: [, , results] }) =>
  results === undefined
    ? { tools: uses }
    : { text: results.content.map(({ content }) => `- ${content}`).join('\n') },
);

const folder = mkdtempSync(join(tmpdir(), 'troupe-own-tool-'));
const troupe = createOrchestrator({
  cwd: folder,
  home: join(folder, 'home'),
  model,
  tools: [Population, Note],
  permissions: { ...getEmptyToolPermissionContext(), alwaysAllowRules: { session: ['Note'] } },
});
try {
  const results = await troupe.session({ prompt: 'How many people live in Bern?' }).result;
  console.log(`results, in the order of the request:\n${results}`);
  if (!results.startsWith('- 137000\n')) throw new Error('The first result is not 137000.');
} finally {
  await troupe.close();
  rmSync(folder, { recursive: true });
}
