import { describe, expect, it } from 'vitest';
import { toSettings } from '../../../src/api/options/check-orchestrator-options.js';

describe('the settings of an orchestrator', () => {
  it('are all options, each with its default', () => {
    const { maxDepth, autoCompact, isTrusted, persists, contextWindow, cwd, env, definitions } =
      toSettings({});
    expect({ maxDepth, autoCompact, isTrusted, persists, contextWindow, cwd, env }).toEqual({
      maxDepth: 5,
      autoCompact: true,
      isTrusted: true,
      persists: true,
      contextWindow: undefined,
      cwd: process.cwd(),
      env: process.env,
    });
    expect(definitions.map(({ name }) => name)).toContain('general-purpose');
  });

  it('have the default of an option that is given as undefined', () => {
    const { autoCompact, tools, graceMs } = toSettings({
      autoCompact: undefined,
      tools: undefined,
      graceMs: 5,
    } as object); // a program in JavaScript may give it
    expect({ autoCompact, tools, graceMs }).toEqual({ autoCompact: true, tools: [], graceMs: 5 });
  });

  it('cannot be changed', () => {
    const settings = toSettings({ maxDepth: 1 });
    expect(() => Object.assign(settings, { maxDepth: 2 })).toThrow(TypeError);
    expect(settings.maxDepth).toBe(1);
  });
});
