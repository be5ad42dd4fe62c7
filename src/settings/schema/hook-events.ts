/** Facts about the hooks of one event. */
export type HookEventFacts = {
  /** Field of the input that a matcher is compared with; absent: hooks of the event run whatever their matcher is. */
  readonly matches?: string;
  /** Exit code 2 and `decision: "block"` have an effect; absent: they are reported and change nothing. */
  readonly blocks?: true;
  /** `continue: false` has an effect; absent: it is reported and changes nothing. */
  readonly stops?: true;
  /** The hooks get the variable `CLAUDE_ENV_FILE`: variables in that file hold for later commands of agents. */
  readonly setsEnv?: true;
  /** Text on stdout that is no JSON is for the model. */
  readonly readsText?: true;
  /** The last line on stdout is the path of a folder, and each failure of a hook blocks. */
  readonly readsPath?: true;
  /** A hook that does not answer in time blocks. */
  readonly blocksIfLate?: true;
};

/** The events whose hooks run. `hook-event-texts.ts` has the words for their page. */
const HOOK_EVENT_FACTS = {
  PreToolUse: { matches: 'tool_name', blocks: true, stops: true },
  PermissionRequest: { matches: 'tool_name', blocks: true, stops: true },
  PostToolUse: { matches: 'tool_name', blocks: true, stops: true },
  PostToolUseFailure: { matches: 'tool_name', blocks: true, stops: true },
  PostToolBatch: { blocks: true, stops: true },
  UserPromptExpansion: { matches: 'command_name', blocks: true, stops: true, readsText: true },
  UserPromptSubmit: { blocks: true, readsText: true, stops: true },
  Stop: { blocks: true, stops: true },
  SubagentStop: { matches: 'agent_type', blocks: true, stops: true },
  StopFailure: { matches: 'error' },
  TeammateIdle: { blocks: true, stops: true },
  TaskCreated: { blocks: true },
  TaskCompleted: { blocks: true, stops: true },
  SessionStart: { matches: 'source', readsText: true, setsEnv: true, stops: true },
  SessionEnd: { matches: 'reason' },
  PreCompact: { matches: 'trigger', blocks: true, readsText: true, stops: true },
  PostCompact: { matches: 'trigger' },
  CwdChanged: { setsEnv: true },
  Notification: { matches: 'notification_type' },
  PermissionDenied: { matches: 'tool_name' },
  SubagentStart: { matches: 'agent_type', readsText: true },
  InstructionsLoaded: { matches: 'load_reason' },
  DirectoryAdded: { matches: 'source' },
  ConfigChange: { matches: 'source', blocks: true },
  FileChanged: { matches: 'file_path', setsEnv: true },
  Setup: { matches: 'trigger', setsEnv: true },
  WorktreeCreate: { blocks: true, readsPath: true },
  WorktreeRemove: {},
  PreModelSwitch: { matches: 'to_model', blocks: true, stops: true, blocksIfLate: true },
  PostModelSwitch: { matches: 'to_model', readsText: true },
  MessageDisplay: {},
  Elicitation: { matches: 'mcp_server_name', blocks: true },
  ElicitationResult: { matches: 'mcp_server_name', blocks: true },
} as const satisfies Readonly<Record<string, HookEventFacts>>;

export type HookEvent = keyof typeof HOOK_EVENT_FACTS;

/** The events whose hooks run. */
export const HOOK_EVENTS = Object.keys(HOOK_EVENT_FACTS) as readonly HookEvent[]; // its own keys

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(HOOK_EVENT_FACTS, name);
}

export function factsOfEvent(event: HookEvent): HookEventFacts {
  return HOOK_EVENT_FACTS[event];
}
