import type { Activity } from './agent-view.js';

/** The activities of an agent in the words of people; the names of states are for the machines. */
export const ACTIVITY_WORDS: Readonly<Record<Activity, string>> = {
  starting: 'starting',
  sampling: 'model request',
  acting: 'tool calls',
  idle: 'idle',
  ended: 'ended',
};
