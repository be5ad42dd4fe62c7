import { describe, expect, it } from 'vitest';
import {
  menuAnswer,
  moveMenu,
  paintMenu,
  type MenuKey,
  type MenuState,
} from '../../../src/cli/approval/menu.js';

const REQUEST: MenuState = {
  from: 1,
  isMany: false,
  marked: [],
  items: [
    { value: '1', height: 1 },
    { value: '2', height: 2 },
    { value: '3', height: 1, takesText: true },
  ],
};
const REQUEST_LINES = ['ada asks', '  1 once', '  2 in this', '    session', '  3 no'];
const MANY: MenuState = {
  from: 0,
  isMany: true,
  marked: [],
  items: [
    { value: '1', height: 1 },
    { value: '2', height: 1 },
    { value: '3', height: 1, isAlone: true },
  ],
};

const after = (menu: MenuState, ...keys: readonly MenuKey[]): MenuState =>
  keys.reduce(moveMenu, menu);
const shown = (lines: readonly string[], menu: MenuState) =>
  paintMenu(
    lines.map((text) => ({ text })),
    menu,
  );

describe('a menu', () => {
  it('has nothing chosen at first: Enter alone decides nothing', () => {
    expect(menuAnswer(REQUEST, '')).toBe('');
    expect(shown(REQUEST_LINES, REQUEST)).toEqual(REQUEST_LINES.map((text) => ({ text })));
  });

  it('moves with the arrows, and stops at its ends', () => {
    expect(menuAnswer(after(REQUEST, 'down'), '')).toBe('1');
    expect(menuAnswer(after(REQUEST, 'up'), '')).toBe('3');
    expect(menuAnswer(after(REQUEST, 'down', 'up', 'up'), '')).toBe('1');
    expect(menuAnswer(after(REQUEST, 'down', 'down', 'down', 'down'), '')).toBe('3');
  });

  it('takes typed text before the chosen item, or as the reason of a refusal', () => {
    expect(menuAnswer(after(REQUEST, 'down'), 'no')).toBe('no');
    expect(menuAnswer(after(REQUEST, 'up'), 'use make')).toBe('3 use make');
  });

  it('shows the chosen item with all its lines', () => {
    expect(shown(REQUEST_LINES, after(REQUEST, 'down', 'down'))).toEqual([
      { text: 'ada asks' },
      { text: '  1 once' },
      { text: '❯ 2 in this', style: 'accent' },
      { text: '    session', style: 'accent' },
      { text: '  3 no' },
    ]);
  });

  it('marks several items, but none that stands alone', () => {
    const menu = after(MANY, 'down', 'space', 'down', 'space', 'down', 'space');
    expect(shown(['    1 a', '    2 b', '    3 other'], menu)).toEqual([
      { text: '  ✔ 1 a' },
      { text: '  ✔ 2 b' },
      { text: '❯   3 other', style: 'accent' },
    ]);
    expect(menuAnswer(menu, '')).toBe('1,2');
    expect(menuAnswer(after(menu, 'up', 'space'), '')).toBe('1');
    expect(menuAnswer(after(MANY, 'up'), '')).toBe('3');
  });

  it('draws what is left of it on a screen that is too low', () => {
    expect(shown(['    session', '  3 no'], after({ ...REQUEST, from: -2 }, 'up'))).toEqual([
      { text: '    session' },
      { text: '❯ 3 no', style: 'accent' },
    ]);
    expect(shown(['1 a'], after({ ...MANY, from: 0 }, 'down'))).toEqual([
      { text: '1 a', style: 'accent' },
    ]);
  });
});
