import { UsageError } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import { createAgentRegistry } from './agent-registry.js';
import { checkMoney, folderFor, toolsFor } from './check-spawn.js';
import type { OpenedFolder, ServedAgents, ServedClient, ServedOptions } from './serve-types.js';
import { resumeSession, startBelow, startSession, stateOf } from './served-agent.js';
import { createServedFolders, type ServedFolders } from './served-folders.js';

/** Serve agents to clients. Nothing is opened before the first agent. */
export function createServedAgents(options: ServedOptions): ServedAgents {
  const agents = createAgentRegistry(options.describe);
  const clients = new Set<ServedClient>();
  const folders = createServedFolders(options.open, (folder) => (request, { signal }) => {
    const owner = agents.ownerOf(folder, request);
    owner?.client.onRequest?.(request, owner.id, signal);
    agents.changed();
    signal.addEventListener('abort', () => void setImmediate(agents.changed)); // when it is not pending any more
    return Promise.resolve(undefined); // clients decide by `decide`
  });

  /** @throws UsageError if the client has ended: its agents would outlive it */
  const requireAttached = (client: ServedClient): void => {
    if (!clients.has(client)) throw new UsageError('The client has ended.');
  };

  return {
    attach(client) {
      clients.add(client);
      folders.listen(true);
      return async () => {
        clients.delete(client);
        folders.listen(clients.size > 0);
        const own = agents.all().filter((one) => one.client === client);
        await Promise.all(own.map(({ handle }) => handle.kill(GONE)));
      };
    },
    async spawn(request, client, signal) {
      let agent;
      if (request.below === undefined) {
        checkMoney(request, options);
        const place = { cwd: folderFor(request, options), tools: toolsFor(request, options) };
        const folder = await folders.open(place);
        signal?.throwIfAborted();
        requireAttached(client);
        agent = startSession(folder, request, client);
      } else agent = await startBelow(agents.find(request.below), request, client);
      agents.follow(agent);
      if (!clients.has(client)) await agent.handle.kill(GONE);
      return stateOf(agent);
    },
    async send(id, text, client) {
      const agent = agents.find(id);
      if (agent.outcome !== undefined) {
        requireAttached(client);
        resumeSession(agent, text, client);
        agents.follow(agent);
      } else if (agent.kind === 'session') await agent.session.prompt(text);
      else await agent.handle.send(text);
      return stateOf(agent);
    },
    state: (id) => stateOf(agents.find(id)),
    states: () => agents.all().map(stateOf),
    trees: () => folders.opened().map(({ orchestrator }) => orchestrator.inspect()),
    output: (id, from) => agents.find(id).handle.output({ from }),
    async kill(id, reason) {
      const agent = agents.find(id);
      agent.outcome = await agent.handle.kill(reason);
      return stateOf(agent);
    },
    async follow(id, { signal, until, onLine }) {
      const agent = agents.find(id);
      agent.lines.add(onLine);
      await agents.until(() => agent.outcome !== undefined || until(stateOf(agent)), signal);
      agent.lines.delete(onLine);
      return stateOf(agent);
    },
    requests: () => pendingIn(folders).map(({ request }) => request),
    ownerOf(request) {
      const owners = folders.opened().map((folder) => agents.ownerOf(folder, request)?.id);
      return owners.find((id) => id !== undefined);
    },
    decide: (requestId, answer, by) => decideIn(folders, requestId, answer, by),
    close: (reason) => folders.close(reason),
  };
}

const GONE = 'its client has ended';

type Pending = { readonly folder: OpenedFolder; readonly request: PermissionRequest };

/** Pending requests of all folders, oldest first. */
function pendingIn(folders: Pick<ServedFolders, 'opened'>): readonly Pending[] {
  const all = folders
    .opened()
    .flatMap((folder) =>
      folder.orchestrator.approvals.list().map((request) => ({ folder, request })),
    );
  return all.toSorted((a, b) => a.request.at - b.request.at);
}

/** Decide a request of any folder. Each knows the requests that it had. */
async function decideIn(
  folders: Pick<ServedFolders, 'opened'>,
  ...decision: Parameters<ServedAgents['decide']>
): ReturnType<ServedAgents['decide']> {
  for (const { orchestrator } of folders.opened()) {
    const receipt = await orchestrator.approvals.decide(...decision);
    if (receipt.status !== 'unknown') return receipt;
  }
  return { status: 'unknown' };
}
