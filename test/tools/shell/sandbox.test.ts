import { describe, expect, it } from 'vitest';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { activeSandbox, type SandboxOptions } from '../../../src/processes/sandbox/sandbox.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import { SandboxTool } from '../../../src/tools/shell/sandbox.js';
import type { ToolUseContext } from '../../../src/tools/tool.js';
import { createContext } from '../../support/tool-context.js';

/** The context of an agent in /w, with /lib as an added folder. */
function inSandbox(options?: SandboxOptions): ToolUseContext {
  const current = () => ({
    ...getEmptyToolPermissionContext(),
    additionalWorkingDirectories: { '/lib': { path: '/lib', source: 'session' as const } },
  });
  return createContext('/w', {
    permissions: { current },
    session: options === undefined ? {} : { sandbox: activeSandbox(options) },
  });
}

async function show(options?: SandboxOptions) {
  const allow = () => Promise.resolve({ behavior: 'allow' } as const);
  const { data } = await SandboxTool.call({}, inSandbox(options), allow, undefined);
  expect(SandboxTool.outputSchema?.parse(data)).toEqual(data);
  const { content } = SandboxTool.mapToolResultToToolResultBlockParam(data, 'toolu_1');
  return { data, lines: String(content).split('\n') };
}

describe('Sandbox', () => {
  it('reports that no sandbox is available', async () => {
    const none = {
      data: {
        kind: 'none',
        writable: [],
        network: true,
        excludedCommands: [],
        allowUnsandboxedCommands: false,
      },
      lines: [
        'No sandbox: shell commands can do what the user can do. Only the permission rules and the mode limit them.',
      ],
    };
    expect([await show(), await show({ mode: 'none' })]).toEqual([none, none]);
  });

  it('shows a closed sandbox of bubblewrap', async () => {
    expect(await show({ mode: 'bwrap', allowUnsandboxedCommands: false })).toEqual({
      data: {
        kind: 'bwrap',
        writable: ['/w', '/lib'],
        network: false,
        excludedCommands: [],
        allowUnsandboxedCommands: false,
      },
      lines: [
        'Shell commands run in the sandbox bwrap (bubblewrap).',
        expect.stringMatching(
          /^Writable: \/w, \/lib, \/tmp\. Everything else is read-only or hidden, also protected names directly in the workspace \(\.git, .* and others\)\.$/,
        ),
        'Network: none, not even the servers of this machine. Downloads and pushes fail.',
        'No command runs outside by itself.',
        'No command can request to run outside: dangerouslyDisableSandbox has no effect.',
      ],
    });
  });

  it("shows the user's own launcher, and the ways out", async () => {
    const { data, lines } = await show({
      mode: 'external',
      command: ['my-jail', '--'],
      network: true,
      writable: ['~/.cache', '/w'],
      excludedCommands: ['docker *', 'git commit *'],
    });
    expect(data).toEqual({
      kind: 'external',
      writable: ['/w', '/lib', '~/.cache'],
      network: true,
      excludedCommands: ['docker *', 'git commit *'],
      allowUnsandboxedCommands: true,
    });
    expect(lines).toEqual([
      "Shell commands run in the sandbox external (the user's own launcher, which gets these limits and must enforce them).",
      expect.stringContaining('Writable: /w, /lib, ~/.cache. Everything else'),
      'Network: open.',
      'A command line runs outside if each of its commands matches one of: docker *, git commit *. It needs approval unless rules allow it.',
      'To run one command outside, call Bash with dangerouslyDisableSandbox: a person must approve it.',
    ]);
  });

  it('is read-only, safe beside other calls, and takes no input', async () => {
    expect([SandboxTool.isReadOnly({}), SandboxTool.isConcurrencySafe({})]).toEqual([true, true]);
    expect(await parseInput(SandboxTool, { kind: 'bwrap' })).toEqual({
      ok: false,
      message: expect.stringContaining('kind'),
    });
  });
});
