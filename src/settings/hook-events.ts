/** Facts about the hooks of one event. */
export type HookEventFacts = {
  /** When the hooks run. */
  readonly when: string;
  /** Field of the input that a matcher is compared with; absent: hooks of the event run whatever their matcher is. */
  readonly matches?: string;
  /** Effect of exit code 2 and of `decision: "block"`; absent: it is reported and changes nothing. */
  readonly blocks?: string;
  /** Text on stdout that is no JSON is for the model. */
  readonly readsText?: true;
};

/** The events whose hooks run. */
export const HOOK_EVENT_FACTS = {
  PreToolUse: {
    when: 'before a tool call is judged',
    matches: 'tool_name',
    blocks: 'the call is denied',
  },
  PermissionRequest: {
    when: 'while a permission request waits for its approvers',
    matches: 'tool_name',
    blocks: 'the request is denied',
  },
  PostToolUse: {
    when: 'after a tool call that succeeded',
    matches: 'tool_name',
    blocks: 'the model reads the reason behind the result',
  },
  PostToolUseFailure: {
    when: 'after a tool call that failed',
    matches: 'tool_name',
    blocks: 'the model reads the reason behind the error',
  },
  UserPromptSubmit: {
    when: 'before the main agent gets a prompt',
    blocks: 'the prompt is dropped, and the reason is the result of the turn',
    readsText: true,
  },
  Stop: {
    when: 'before the main agent ends its turn',
    blocks: 'it continues with the reason, at most 8 times in a row',
  },
  SubagentStop: {
    when: 'before a sub-agent ends',
    matches: 'agent_type',
    blocks: 'it continues with the reason, at most 8 times in a row',
  },
  SessionStart: {
    when: 'when a session begins, is resumed or compacted',
    matches: 'source',
    readsText: true,
  },
  SessionEnd: {
    when: 'when a session ends; 10 s if no timeout is given',
    matches: 'reason',
  },
  PreCompact: {
    when: 'before a conversation is compacted',
    matches: 'trigger',
    blocks: 'the conversation is not compacted',
    readsText: true,
  },
  PostCompact: {
    when: 'after a conversation was compacted',
    matches: 'trigger',
  },
  Notification: {
    when: 'when a permission request waits for a person',
    matches: 'notification_type',
  },
  PermissionDenied: {
    when: 'after the classifier of the mode auto denied a tool call',
    matches: 'tool_name',
  },
  SubagentStart: {
    when: 'before the first request of a sub-agent',
    matches: 'agent_type',
    readsText: true,
  },
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

/** Published events that never fire here and cannot deny: a session without their hooks is equally protected. */
export const WATCHING_EVENTS = [
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'InstructionsLoaded',
  'MessageDisplay',
  'PostModelSwitch',
  'Setup',
  'StopFailure',
  'TaskCompleted', // can only refuse an entry of a to-do list, which changes nothing by itself
  'TaskCreated',
  'WorktreeRemove',
] as const;

/** Published events that never fire here and could deny something. */
const DENYING_EVENTS = [
  'ConfigChange',
  'Elicitation',
  'ElicitationResult',
  'PostToolBatch',
  'PreModelSwitch',
  'TeammateIdle',
  'UserPromptExpansion',
  'WorktreeCreate',
] as const;

/** The events of the published hooks. Those that {@link HOOK_EVENTS} lacks have no effect. */
export const PUBLISHED_HOOK_EVENTS: readonly PublishedHookEvent[] = [
  ...HOOK_EVENTS,
  ...WATCHING_EVENTS,
  ...DENYING_EVENTS,
];
/** An event of the published hooks. */
export type PublishedHookEvent =
  HookEvent | (typeof WATCHING_EVENTS)[number] | (typeof DENYING_EVENTS)[number];
