/** The published rules of hooks: https://code.claude.com/docs/en/hooks */

const BLOCKING = new Set([
  'PreToolUse',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
  'TaskCreated',
  'TaskCompleted',
  'PostToolBatch',
  'PreCompact',
]);
/** The model reads the reason of these; the call has run. */
const TELLING = new Set(['PostToolUse', 'PostToolUseFailure']);
/** The model reads a text of these that is not JSON; that of `PreCompact` in the request for the summary. */
const READ = new Set([
  'PreCompact',
  'SessionStart',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PostModelSwitch',
]);
/** The fields of their output have no effect. */
const SILENT = new Set(['Notification', 'SessionEnd', 'PostCompact', 'StopFailure']);

/**
 * @returns the effects that an output must have in a session: `blocks` (the call, the prompt, the end of the turn),
 *   `adds` (the model reads the text), `allows`, `asks`, `changes` (the input), `stops` (the turn); none: it does nothing
 */
export function expectedEffects(event, { code, stdout: printed, stderr }) {
  const stdout = withoutStart(printed);
  const output = jsonIn(stdout);
  if (event === 'WorktreeCreate') return code === 0 ? [] : [{ kind: 'blocks', text: '' }];
  if (code === 2) return blocked(event, reasonIn(event, output) ?? stderr.trim());
  if (output !== undefined) return isFor(event, output) ? effectsOf(event, output) : [];
  const text = stdout.trim();
  return code === 0 && READ.has(event) && text !== '' ? [{ kind: 'adds', text }] : [];
}

/** Leave out the line by which a program begins to run in the background. */
function withoutStart(stdout) {
  const [first, ...others] = stdout.trim().split('\n');
  return jsonIn(first)?.async === true ? others.join('\n') : stdout;
}

function jsonIn(stdout) {
  const text = stdout.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The output for another event is invalid. */
function isFor(event, { hookSpecificOutput: own }) {
  return own === undefined || own.hookEventName === event;
}

function blocked(event, text) {
  if (BLOCKING.has(event)) return [{ kind: 'blocks', text }];
  return TELLING.has(event) && text !== '' ? [{ kind: 'adds', text }] : [];
}

function reasonIn(event, output) {
  const { hookSpecificOutput: own, decision, reason } = output ?? {};
  if (event === 'PreToolUse' && own?.permissionDecision === 'deny')
    return own.permissionDecisionReason ?? '';
  return decision === 'block' ? (reason ?? '') : undefined;
}

function effectsOf(event, output) {
  if (SILENT.has(event)) return [];
  const { hookSpecificOutput: own = {}, decision } = output;
  const reason = reasonIn(event, output);
  const isAllowed = own.permissionDecision === 'allow' || decision === 'approve';
  const isCall = event === 'PreToolUse';
  return [
    ...(output.continue === false ? [{ kind: 'stops', text: output.stopReason ?? '' }] : []),
    ...(reason === undefined ? [] : blocked(event, reason)),
    ...(isCall && isAllowed && reason === undefined ? [{ kind: 'allows', text: '' }] : []),
    ...(isCall && own.permissionDecision === 'ask' ? [{ kind: 'asks', text: '' }] : []),
    ...(isCall && own.updatedInput !== undefined
      ? [{ kind: 'changes', text: '', input: own.updatedInput }]
      : []),
    ...(own.additionalContext ? [{ kind: 'adds', text: own.additionalContext.trim() }] : []),
  ];
}

/** Whether a matcher is for an input, by the published rules. */
export function isMatched(matcher, input) {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  const value = matchedIn(input);
  if (value === undefined) return true;
  if (/^[\w\- ,|]+$/.test(matcher))
    return matcher.split(/[|,]/).some((one) => one.trim() === value);
  return new RegExp(matcher).test(value);
}

const MATCHED = {
  SessionStart: 'source',
  SessionEnd: 'reason',
  Setup: 'trigger',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  Notification: 'notification_type',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  InstructionsLoaded: 'load_reason',
  UserPromptExpansion: 'command_name',
};

function matchedIn(input) {
  const field = MATCHED[input.hook_event_name];
  return field === undefined ? input.tool_name : input[field];
}
