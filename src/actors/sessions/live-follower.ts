import type { SessionDirectory } from './session-directory.js';
import type { LiveFollower } from '../options/live-files.js';
import type { Settings } from '../options/settings.js';
import type { FileFollower } from './follow-files.js';

/** A session of one reply ends before this time, and watches nothing. */
const IDLE_MS = 500;

export function createLiveFollower(
  settings: Settings,
  sessions: SessionDirectory,
): LiveFollower | undefined {
  const { liveFiles } = settings;
  if (liveFiles === undefined) return undefined;
  const since = Date.now();
  let follower: FileFollower | undefined;
  let state: 'waiting' | 'begun' | 'closed' = 'waiting';
  let timer: NodeJS.Timeout | undefined;

  const begin = async (): Promise<void> => {
    if (state !== 'waiting') return;
    state = 'begun';
    const { followFiles } = await import('./follow-files.js');
    if (isClosed()) return;
    follower = followFiles({ liveFiles, settings, since }, sessions.live);
  };
  const isClosed = (): boolean => state === 'closed';

  return {
    catchUp: () => (follower?.isDue === true ? follower.look() : undefined),
    await({ events }) {
      events.on('agent.message', (_, { role, content }) => {
        if (role !== 'assistant' || state !== 'waiting') return;
        if (content.some((block) => block.type === 'tool_use')) void begin();
        else timer ??= setTimeout(() => void begin(), IDLE_MS).unref();
      });
    },
    close() {
      state = 'closed';
      clearTimeout(timer);
      follower?.close();
    },
  };
}
