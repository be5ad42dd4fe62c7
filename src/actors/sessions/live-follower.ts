import type { SessionDirectory } from './session-directory.js';
import type { LiveFollower } from '../options/live-files.js';
import type { Settings } from '../options/settings.js';
import type { Following } from './apply-files.js';
import type { FileFollower } from './follow-files.js';

/** A session of one reply ends before this time, and watches nothing. */
const IDLE_MS = 500;

export function createLiveFollower(
  settings: Settings,
  sessions: SessionDirectory,
  replaceServers: Following['replaceServers'],
): LiveFollower | undefined {
  const { liveFiles } = settings;
  if (liveFiles === undefined) return undefined;
  const since = Date.now();
  let follower: FileFollower | undefined;
  let beginning: Promise<void> | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const follow = async (): Promise<void> => {
    const { followFiles } = await import('./follow-files.js');
    if (!isClosed)
      follower = followFiles({
        liveFiles,
        settings,
        since,
        sessions: sessions.live,
        replaceServers,
      });
  };
  const begin = (): Promise<void> => (beginning ??= follow());

  return {
    catchUp: () => (follower?.isDue === true ? follower.look() : undefined),
    await({ events }) {
      events.on('agent.message', (_, { role, content }) => {
        if (role !== 'assistant' || beginning !== undefined) return;
        if (content.some((block) => block.type === 'tool_use')) void begin();
        else timer ??= setTimeout(() => void begin(), IDLE_MS).unref();
      });
    },
    async reload() {
      await begin();
      return (await follower?.reload()) ?? [];
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      follower?.close();
    },
  };
}
