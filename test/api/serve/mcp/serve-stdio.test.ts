import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { serveMcpStdio } from '../../../../src/api/serve/mcp/serve-stdio.js';
import { createServed, makesFile } from '../../../support/served.js';

const LEFT = {
  'has ended its input': async ({ input }) => {
    input.end();
    await finished(input.resume());
  },
  'has cut its input': async ({ input }) => {
    await finished(input.destroy(), { readable: false, writable: false });
  },
  'has closed its output': async ({ output }) => {
    await finished(output.destroy(), { readable: false, writable: false });
  },
} satisfies Readonly<
  Record<
    string,
    (streams: { readonly input: PassThrough; readonly output: PassThrough }) => Promise<void>
  >
>;

for (const [what, leave] of Object.entries(LEFT))
  it(`resolves if the client ${what} before the server listens`, async () => {
    const { agents } = await createServed(makesFile);
    const streams = { input: new PassThrough(), output: new PassThrough() };
    await leave(streams);
    const options = { agents, approver: 'client' as const, warn: () => {} };
    expect(await serveMcpStdio(streams, options)).toBe(undefined);
  });
