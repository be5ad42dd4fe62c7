import type { RunCommand } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import { serveAgents, serveHttp } from '../../serve/run-server.js';

/** `troupe a2a serve`: serve agents to clients of A2A over HTTP. @returns the exit code */
export const run: RunCommand = async (line, world) => {
  const { serveA2a } = await loadA2a();
  return serveAgents(line, world, ({ agents, types }, signal) =>
    serveHttp(line, world, signal, ({ url }) => serveA2a(agents, { url, types })),
  );
};

/** @throws UsageError if the optional package is not installed */
async function loadA2a() {
  try {
    return await import('../../../api/serve/a2a/serve-a2a.js');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@a2a-js/sdk')) throw error;
    throw new UsageError(
      'troupe a2a serve needs the package @a2a-js/sdk, which is not installed. Install it beside Troupe: npm install @a2a-js/sdk, with -g if Troupe is installed with -g.',
      {},
      { cause: error },
    );
  }
}
