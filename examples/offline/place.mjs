// A folder to work in and a Messages API on this machine: what a program finds in its environment instead of a key.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeMessagesApi } from 'troupe/testing';

/** Answers each request by `handler`, and leads this process there. */
export async function goOffline(name, handler) {
  const folder = mkdtempSync(join(tmpdir(), `troupe-${name}-`));
  const api = await createFakeMessagesApi({ handler });
  process.env.ANTHROPIC_BASE_URL = api.url;
  process.env.ANTHROPIC_API_KEY = 'offline';
  process.env.TROUPE_HOME = join(folder, 'home');
  return {
    folder,
    api,
    async close() {
      await api.close();
      rmSync(folder, { recursive: true });
      if (api.problems.length > 0) throw new Error(`Bad requests: ${api.problems.join('; ')}`);
    },
  };
}

/** Texts of the results that the newest message brings. */
export function newestResults({ messages }) {
  const results = messages.at(-1).content.filter(({ type }) => type === 'tool_result');
  return results.map(({ content }) =>
    typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
  );
}
