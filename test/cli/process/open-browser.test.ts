import { expect, it } from 'vitest';
import { browserOf } from '../../../src/cli/process/open-browser.js';

it.each([
  ['a desktop', { DISPLAY: ':0' }, 'linux', true, 'xdg-open'],
  ['another desktop', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true, 'xdg-open'],
  ['a Mac', {}, 'darwin', true, 'open'],
  ['a choice of the user', { BROWSER: 'lynx' }, 'linux', true, 'lynx'],
  ['no desktop', {}, 'linux', true, undefined],
  ['nobody at the terminal', { DISPLAY: ':0', BROWSER: 'lynx' }, 'linux', false, undefined],
  ['a terminal elsewhere', { DISPLAY: ':0', SSH_CONNECTION: '1' }, 'linux', true, undefined],
] as const)('a login opens a browser on %s with %j', (_, env, platform, isTerminal, browser) => {
  expect(browserOf({ env, platform, isTerminal })).toBe(browser);
});
