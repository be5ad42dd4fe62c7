// Limits of requests and of commands that Claude Code reads from the environment.
import { UsageError } from '../../core/errors.js';
import { toThinking } from '../../model/choice/to-thinking.js';
import type { DeferralLimit } from '../../tools/pool/deferral.js';
import { LIMITS, type BashLimits } from '../../tools/shell/bash.js';
import type { SessionStart } from '../contract/session-start.js';
import type { Environment } from '../../files/folders.js';

const DEFAULT_MAX_TOKENS = 32_000;
const LEAST_THINKING_TOKENS = 1_024;

/**
 * Output tokens of a request: the option, else `CLAUDE_CODE_MAX_OUTPUT_TOKENS`, else 32,000.
 *
 * @throws UsageError if the variable is not a whole number above 0
 */
export function maxTokensOf(maxTokens: number | undefined, env: Environment): number {
  if (maxTokens !== undefined) return maxTokens;
  return (
    readWholeNumber(env, 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', (tokens) => tokens > 0) ??
    DEFAULT_MAX_TOKENS
  );
}

/**
 * The start of a new session with the thinking of `MAX_THINKING_TOKENS`, unless the start has its own. A resumed
 * session keeps its thinking.
 *
 * @throws UsageError if the variable is neither 0 nor a number from 1,024 to below `maxTokens`
 */
export function withThinkingOf(
  env: Environment,
  start: SessionStart,
  maxTokens: number,
): SessionStart {
  const isResumed = start.resume !== undefined || start.continues === true;
  if (start.thinking !== undefined || isResumed) return start;
  const tokens = readWholeNumber(
    env,
    'MAX_THINKING_TOKENS',
    (count) => count === 0 || (count >= LEAST_THINKING_TOKENS && count < maxTokens),
    `0 or a whole number from ${LEAST_THINKING_TOKENS} to below the output limit, which is ${maxTokens}`,
  );
  const thinking = tokens === undefined ? undefined : toThinking(tokens);
  return thinking === undefined ? start : { ...start, thinking };
}

/**
 * Time limits of commands, from `BASH_DEFAULT_TIMEOUT_MS` and `BASH_MAX_TIMEOUT_MS`; undefined if neither is set. The
 * default is never above the maximum.
 *
 * @throws UsageError if a variable is not a whole number above 0
 */
export function bashLimitsOf(env: Environment): BashLimits | undefined {
  const wanted = readWholeNumber(env, 'BASH_DEFAULT_TIMEOUT_MS', (ms) => ms > 0);
  const most = readWholeNumber(env, 'BASH_MAX_TIMEOUT_MS', (ms) => ms > 0);
  if (wanted === undefined && most === undefined) return undefined;
  const longestMs = most ?? Math.max(wanted ?? 0, LIMITS.longestMs);
  return { defaultMs: Math.min(wanted ?? LIMITS.defaultMs, longestMs), longestMs };
}

/** The tools of slower servers join later. */
const STARTUP_WAIT_MS = 5_000;

/**
 * How long the first request of a session waits for MCP servers, ms: `CLAUDE_CODE_MCP_STARTUP_WAIT_MS`, else 5,000; 0 if
 * `MCP_CONNECTION_NONBLOCKING` is `true`.
 *
 * @throws UsageError if the variable is not a whole number
 */
export function serverWaitOf(env: Environment): number {
  const variable = 'CLAUDE_CODE_MCP_STARTUP_WAIT_MS';
  const waitMs = readWholeNumber(env, variable, () => true, 'a whole number of milliseconds');
  return env['MCP_CONNECTION_NONBLOCKING'] === 'true' ? 0 : (waitMs ?? STARTUP_WAIT_MS);
}

/** More tokens of tools are worth a search. */
const MOST_TOOL_TOKENS = 10_000;
/** The whole of the per cent of `auto:N`. */
const CONTEXT_TOKENS = 200_000;

/**
 * When tools that can wait do wait, by `ENABLE_TOOL_SEARCH`: always if it is `true`, never if it is `false`, from N per
 * cent of 200,000 tokens on if it is `auto:N`, and from 10,000 on if it is `auto`. If it is not set, 10,000 is the limit
 * for tools of servers, and the others always wait.
 *
 * @throws UsageError if the variable is something else
 */
export function deferralLimitOf(env: Environment): DeferralLimit {
  const text = env['ENABLE_TOOL_SEARCH']?.trim().toLowerCase() ?? '';
  if (text === '') return { mostTokens: MOST_TOOL_TOKENS, countsServersOnly: true };
  const limit = (mostTokens: number) => ({ mostTokens, countsServersOnly: false });
  if (text === 'auto') return limit(MOST_TOOL_TOKENS);
  if (/^(?:true|1|yes|on)$/.test(text)) return limit(0);
  if (/^(?:false|0|no|off)$/.test(text)) return limit(Infinity);
  const percent = Number(/^auto:(\d+)$/.exec(text)?.[1] ?? NaN);
  if (percent <= 100) return limit((percent / 100) * CONTEXT_TOKENS);
  throw new UsageError(
    `ENABLE_TOOL_SEARCH is "${text}": give true, false, auto, or auto:N with N from 0 to 100, or unset it.`,
  );
}

/** Share of the context window for the list of skills, and characters of a token, as published. */
const SKILL_SHARE = 0.01;
const CHARS_OF_TOKEN = 4;
/** Characters of the list in a large window, for few skills and for each of many. */
const SKILL_LIST_CHARS = 10_000;
const CHARS_OF_SKILL = 100;

/**
 * Characters of a list of skills: `SLASH_COMMAND_TOOL_CHAR_BUDGET`, or else a part of the context window. One per cent of
 * a large window is more than a list of few skills needs.
 *
 * @param contextWindow tokens
 * @param share the part, if somebody has chosen one
 * @throws UsageError if the variable is not a whole number above 0
 */
export function skillBudgetOf(
  env: Environment,
  contextWindow: number,
  { share, count }: { readonly share: number | undefined; readonly count: number },
): number {
  const given = readWholeNumber(env, 'SLASH_COMMAND_TOOL_CHAR_BUDGET', (chars) => chars > 0);
  if (given !== undefined) return given;
  const part = Math.floor(contextWindow * (share ?? SKILL_SHARE) * CHARS_OF_TOKEN);
  return share === undefined
    ? Math.min(part, Math.max(SKILL_LIST_CHARS, CHARS_OF_SKILL * count))
    : part;
}

/** Tokens of one result of a server, as published. */
const MCP_OUTPUT_TOKENS = 25_000;

/**
 * Characters of one result of an MCP server, from `MAX_MCP_OUTPUT_TOKENS`: 100,000 if it is not set.
 *
 * @throws UsageError if the variable is not a whole number above 0
 */
export function mcpOutputCharsOf(env: Environment): number {
  const tokens = readWholeNumber(env, 'MAX_MCP_OUTPUT_TOKENS', (count) => count > 0);
  return (tokens ?? MCP_OUTPUT_TOKENS) * CHARS_OF_TOKEN;
}

function readWholeNumber(
  env: Environment,
  variable: string,
  isUsable: (count: number) => boolean,
  wanted = 'a whole number above 0',
): number | undefined {
  const text = env[variable]?.trim();
  if (text === undefined || text === '') return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && isUsable(count)) return count;
  throw new UsageError(`${variable} is "${text}": give ${wanted}, or unset it.`);
}
