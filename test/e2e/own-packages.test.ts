import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createFolder } from '../support/troupe.js';

const ROOT = join(import.meta.dirname, '../..');

/** Says what became of its own schemas, and what its own xstate makes of what it is shown. */
const PROGRAM = `
import { buildTool, createOrchestrator, createScriptedModel } from 'troupe';
import { createActor, fromCallback, isMachineSnapshot } from 'xstate';
import { z } from 'zod';

const Add = buildTool({
  name: 'Add',
  inputSchema: z.strictObject({ a: z.int().describe('first'), b: z.int() }),
  isReadOnly: () => true,
  call: ({ a, b }) => Promise.resolve({ data: a + b }),
});
const Ask = buildTool({
  name: 'Ask',
  inputSchema: z.object({}),
  call: () => Promise.resolve({ data: 'ran' }),
});
const requests = [];
const seen = createActor(fromCallback(({ receive, input }) => receive(({ name }) => input.add(name))), {
  input: new Set(),
}).start();
const kinds = new Set();
const troupe = createOrchestrator({
  cwd: process.cwd(),
  home: process.cwd(),
  tools: [Add, Ask],
  model: createScriptedModel((request) => {
    requests.push({ ...request, messages: [...request.messages] });
    return [
      { tools: [{ name: 'Add', input: { a: 1, b: 2 } }, { name: 'Add', input: { a: 'one' } }, { name: 'Ask', input: {} }] },
      { tools: [{ name: 'StructuredOutput', input: { sum: 3 } }] },
    ][requests.length - 1] ?? { text: 'Done.' };
  }),
  inspect(event) {
    if (event.type !== '@xstate.snapshot') return;
    kinds.add(isMachineSnapshot(event.snapshot) ? 'machine' : 'other');
    seen.send({ type: 'seen', name: event.actorRef.id });
  },
});
troupe.approvals.onRequest(() => z.object({ behavior: z.string() }).parse({}));
const session = troupe.session({ prompt: 'Go.', outputSchema: z.object({ sum: z.number() }) });
const result = await session.result;
await troupe.close();
const results = requests[1].messages.at(-1).content.map(({ content, is_error }) => [content, is_error === true]);
const tool = requests[0].tools.find(({ name }) => name === 'Add');
console.log(JSON.stringify({ result, results, schema: tool.input_schema, kinds: [...kinds].sort() }));
`;

it("a program's own zod and xstate work with the library, which carries both", async () => {
  const folder = await createFolder();
  const packages = join(folder, 'node_modules');
  const library = join(packages, 'troupe');
  await cp(join(ROOT, 'dist'), join(library, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.d.ts') && !path.endsWith('/cli'),
  });
  await cp(join(ROOT, 'package.json'), join(library, 'package.json'));
  for (const name of ['zod', 'xstate']) await link(name, packages);
  for (const name of ['@modelcontextprotocol/sdk', 'yaml', 'croner', 'diff', 'string-width'])
    await link(name, join(library, 'node_modules'));
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
  const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder });
  const said: unknown = JSON.parse(stdout);
  expect(said).toEqual({
    result: { sum: 3 },
    results: [
      ['3', false],
      [expect.stringContaining('a'), true],
      [expect.stringContaining('expected string'), true],
    ],
    schema: expect.objectContaining({
      properties: expect.objectContaining({
        a: expect.objectContaining({ type: 'integer', description: 'first' }),
      }),
      required: ['a', 'b'],
    }),
    kinds: ['machine'],
  });
});

async function link(name: string, folder: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await symlink(join(ROOT, 'node_modules', name), join(folder, name));
}
