import { z } from 'zod';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { OTHER_SERVER_TYPES, type McpServers } from '../../extensions/mcp/servers/server-config.js';
import { checkHooks } from '../../extensions/hooks/check-hooks.js';
import { QueryOptionsSchema, REFUSED, TOLD_OF } from './query-options-schema.js';

/** Checked options; absent ones have no key. */
export type ParsedOptions = {
  readonly options: Readonly<z.infer<typeof QueryOptionsSchema>>;
  /** Options without effect, in words. */
  readonly warnings: readonly string[];
};

const KNOWN = Object.keys(QueryOptionsSchema.shape);

/**
 * Options that restrict a session, and words for them in other programs: without them a session would do more than
 * intended.
 */
const PROTECTING = [
  'additionalDirectories',
  'allowedTools',
  'canUseTool',
  'disallowedTools',
  'hooks',
  'managedSettings',
  'maxBudgetUsd',
  'maxTurns',
  'permissionMode',
  'permissionPromptToolName',
  'permissions',
  'requireCanUseTool',
  'sandbox',
  'settingSources',
  'settings',
  'strictMcpConfig',
  'taskBudget',
  'tools',
];

/** @throws UsageError that names the option, the fault, and a valid value */
export function parseOptions(given: unknown = {}): ParsedOptions {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError('query: "options" must be an object: query({ prompt, options: { … } }).');
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of present) checkName(name, value);
  checkServerTypes((given as { readonly mcpServers?: unknown }).mcpServers, 'query: "mcpServers');

  const known = present.filter(([name]) => KNOWN.includes(name));
  const unknown = present.map(([name]) => name).filter((name) => !KNOWN.includes(name));
  const parsed = QueryOptionsSchema.safeParse(Object.fromEntries(known));
  if (!parsed.success)
    throw new UsageError(
      `query: ${withFullStop(describeRefusal(parsed.error, given, quotedField('the options')))}`,
    );
  const options = parsed.data;
  checkHooks(options.hooks, 'query: hooks');
  if (options.canUseTool !== undefined && options.permissionPromptToolName !== undefined)
    throw new UsageError(
      'query: "canUseTool" and "permissionPromptToolName" both decide permission requests. Give one of them.',
    );
  if (options.resume !== undefined && options.continue === true)
    throw new UsageError('query: "resume" and "continue" name one session each. Give one of them.');
  const { resumeSessionAt, resume, forkSession } = options;
  if (resumeSessionAt !== undefined && (resume === undefined || forkSession !== true))
    throw new UsageError(
      'query: "resumeSessionAt" works on a copy of a session: give "resume" and forkSession: true too.',
    );
  return {
    options,
    warnings: [
      ...unknown.map(
        (name) => `query: there is no option "${name}"; it has no effect.${hintFor(name)}`,
      ),
      ...present
        .filter(([name, value]) => TOLD_OF.includes(name) && !isOff(value))
        .map(([name]) => `The option "${name}" has no effect.`),
    ],
  };
}

/** @throws UsageError for an unknown option that may be meant to restrict, and for an option that is not supported */
function checkName(name: string, value: unknown): void {
  if (!KNOWN.includes(name)) {
    const near = nearestName(name, PROTECTING);
    if (near === undefined) return;
    const hint =
      hintFor(name) ||
      ' Give allowedTools, disallowedTools, permissionMode or canUseTool, or rules in settings.';
    throw new UsageError(`query: there is no option "${name}".${hint}`);
  }
  if (REFUSED.includes(name) && !isOff(value))
    throw new UsageError(
      `query: the option "${name}" is not supported yet, and the session would not be what you expect without it. Leave it out.`,
    );
}

function hintFor(name: string): string {
  const near = nearestName(name, KNOWN);
  return near === undefined ? '' : ` Meant "${near}"?`;
}

/** Check servers that a running query gets. @throws UsageError that names the server */
export function parseServers(servers: unknown): McpServers {
  checkServerTypes(servers, 'setMcpServers: "servers');
  const parsed = SetServersSchema.safeParse({ servers });
  if (parsed.success) return parsed.data.servers;
  const why = describeRefusal(parsed.error, { servers }, quotedField('the call'));
  throw new UsageError(`setMcpServers: ${withFullStop(why)}`);
}

const SetServersSchema = z.object({ servers: QueryOptionsSchema.shape.mcpServers.unwrap() });

/** Report servers of unsupported kinds by their kind, not by their fields. */
function checkServerTypes(servers: unknown, place: string): void {
  if (typeof servers !== 'object' || servers === null) return;
  for (const [name, server] of Object.entries(servers as Readonly<Record<string, unknown>>)) {
    const { type } = Object(server) as { readonly type?: unknown };
    if (type !== 'sdk' && OTHER_SERVER_TYPES.some((one) => one === type))
      throw new UsageError(
        `${place}.${name}" has the type ${String(type)}; give { command, args, env }, { type: "http", url, headers }, or the result of createSdkMcpServer.`,
      );
  }
}

/** Whether the value leaves the option off. */
function isOff(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object') return false;
  return Object.keys(value).length === 0 || ('enabled' in value && value.enabled === false);
}
