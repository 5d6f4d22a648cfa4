import { beforeAll, describe, expect, it, test } from 'vitest';
import { NoAnswer, Refusal } from '../src/lib/api/client';
import { errorText, noticeOf, noticeText, recordText, refusalText, titleText } from '../src/lib/i18n/house';
import { retold, type Pair } from '../src/lib/i18n/retelling';
import { Words } from '../src/lib/i18n/words.svelte';

const english = new Words();
const chinese = new Words();
beforeAll(async () => {
  chinese.need('records');
  chinese.need('clauses');
  await chinese.choose('zh');
});

describe('a sentence of the house', () => {
  const pairs: Pair[] = [['Seat {seat} is locked ({why}).', '{why:why}：座位 {seat}'], ['It is over.', '结束']];
  const shout = (kind: string, fact: string): string => `${kind}=${fact}`;

  it('is said with its facts, which go by the names that the language has for them', () => {
    expect(retold(pairs, 'Seat 4 is locked (win).', shout)).toBe('why=win：座位 4');
    expect(retold(pairs, 'It is over.', shout)).toBe('结束');
  });

  it('stays as it is where no pair fits all of it', () => {
    expect(retold(pairs, 'Seat 4 is locked.', shout)).toBeUndefined();
    expect(retold(pairs, 'It is over. Go home.', shout)).toBeUndefined();
    expect(retold(pairs, 'It is over!', shout)).toBeUndefined();
  });

  it('may hold signs that mean something to patterns, and lines', () => {
    expect(retold([['{a} (+{b}?) $1', '{b}|{a}']], 'x.*\ny (+[z]?) $1', shout)).toBe('[z]|x.*\ny');
  });
});

describe('amounts in what the house says', () => {
  it('are written as all others on a screen', () => {
    expect(recordText(english, 'seat-locked', 'Seat 1 is locked (win, 99999.00).')).toBe('Seat 1 is locked (win, 99,999.00).');
    expect(recordText(chinese, 'seat-locked', 'Seat 1 is locked (win, 99999.00).')).toBe('座位 1 锁定（大额派彩，99,999.00）。');
    expect(recordText(english, 'bets-changed', 'Seat 1 changes its bets: red +12599874.00, straight:7 -5000.50.')).toBe('Seat 1 changes its bets: red +12,599,874.00, straight:7 -5,000.50.');
    expect(refusalText(english, { code: 'unknown', sentence: 'The ticket says 1000.00, voucher 1234567890.' })).toBe('The ticket says 1,000.00, voucher 1234567890.');
  });
});

test('kinds of seats have names in a record', () => {
  expect(recordText(chinese, 'seat-opened', 'Seat 1 is put into use as place.')).toBe('座位 1 启用，类别：下注位。');
  expect(recordText(chinese, 'seat-opened', 'Seat 1 is put into use as rapid-select.')).toBe('座位 1 启用，类别：Rapid Select 终端。');
});

describe('a refusal', () => {
  const limit = { code: 'above-maximum', sentence: 'The most is 50.00.', facts: { limit_cents: 5000, would_be_cents: 6050, off_by_cents: 1050, bet: 'red' } };

  it('says its facts in the language, amounts as money', () => {
    expect(refusalText(english, limit)).toBe('The most is 50.00.');
    expect(refusalText(chinese, limit)).toBe('该注上限为 50.00，这样将为 60.50，超出 10.50。');
  });

  it('goes without what it was not told', () => {
    expect(refusalText(chinese, { ...limit, facts: {} })).toBe('超过该注的上限。');
    expect(refusalText(chinese, { code: 'not-allowed', sentence: '', facts: { action: 'x', position: 'pit-supervisor' } })).toBe('此操作须由赌区主管执行。');
    expect(refusalText(chinese, { code: 'not-allowed', sentence: '', facts: { position: null } })).toBe('您无权执行此操作；请找有权限的人员。');
  });

  it('that no language knows is the house’s own', () => {
    expect(refusalText(chinese, { code: 'brand-new', sentence: 'Something new.' })).toBe('Something new.');
  });

  it('over HTTP is an error with a code; any other error only has its message', () => {
    expect(errorText(chinese, new Refusal(404, { code: 'unknown-table', sentence: 'There is no table X.' }))).toBe('没有此桌号。');
    expect(errorText(english, new Refusal(404, { code: 'unknown-table', sentence: 'There is no table X.' }))).toBe('There is no table X.');
    expect(errorText(chinese, new NoAnswer())).toContain('无法得知');
    expect([errorText(chinese, new TypeError('odd')), errorText(chinese, 7)]).toEqual(['odd', '7']);
  });
});

test('notices are said in the language, with the reason of a void round', () => {
  const notice = 'Round 12 is void: Ball left the wheel. All bets are returned';
  expect(noticeText(chinese, notice)).toBe('第 12 局作废：球飞出轮盘。投注全部退还');
  expect(noticeText(english, notice)).toBe(notice);
  expect(noticeText(chinese, '17 Black wins')).toBe('开出 17 黑');
});

test('the notice of an own book goes by its step, where that needs no facts', () => {
  expect(noticeOf(chinese, 'open', 'Faites vos jeux')).toBe('请下注');
  expect(noticeOf(chinese, 'result', '17 noir')).toBe('17 noir');
  expect(noticeOf(english, 'open', 'Faites vos jeux')).toBe('Faites vos jeux');
});

test('irregularities and books have names; what a person wrote stays', () => {
  expect([titleText(chinese, 'Ball broke'), titleText(chinese, 'Money Wheel'), titleText(chinese, 'the camera')]).toEqual(['球破裂', '幸运轮', 'the camera']);
});

test.each([
  ['seat-locked', 'Seat 4 is locked (attendant-pay, 5,000.00).', '座位 4 锁定（由服务员支付，5,000.00）。'],
  ['bets-changed', 'Seat 1 changes its bets by the hand of a player: split:17/20 +5.00 (tiers), red -2.00.', '座位 1 更改投注（玩家）：分注 17/20 +5.00 (小系列)，红 -2.00。'],
  ['seat-settled', 'Seat 1 is settled: 6.00 staked, 180.00 back (straight:17 5.00 won, back 180.00, red 1.00 lost, back 0.00).', '座位 1 结算：投注 6.00，返还 180.00（直注 17 5.00 中，返还 180.00，红 1.00 未中，返还 0.00）。'],
  ['seat-corrected', 'Seat 1 is settled again for round 1: 0.00 back before, 360.00 now (straight:17 10.00 won, back 360.00); 360.00 was written off before.', '座位 1 第 1 局重新结算：原返还 0.00，现返还 360.00（直注 17 10.00 中，返还 360.00）；其中 360.00 此前已核销。'],
  ['seat-corrected', 'Seat 1 is settled again for round 1: 360.00 back before, 0.00 now (straight:17 10.00 lost, back 0.00); 360.00 stays written off.', '座位 1 第 1 局重新结算：原返还 360.00，现返还 0.00（直注 17 10.00 未中，返还 0.00）；360.00 仍已核销。'],
  ['round-opened', "Round 3 begins; players read 'Place your bets, please'.", '第 3 局开始；玩家看到“Place your bets, please · 请下注”。'],
  ['spin-finished', 'The spin is over (6 revolutions, pocket 17, at rest yes at 21.5 revolutions a minute, left the rim at deflector 3), as reported by the wheel.', '旋转结束（6 圈，号码格 17，停定：是，每分钟 21.5 转，在第 3 个挡块离开轨道），由轮盘报告。'],
  ['command-refused', 'place-bets is refused (bets-closed): No more bets: bets are closed for this round.', '下注被拒绝（bets-closed）：已停止下注。'],
  ['outcome-stated', 'After the interruption no outcome is stated to stand on the wheel.', '中断后认定轮盘上没有有效结果。'],
  ['device-enrolled', 'd-7 was enrolled as a terminal of table R1, seat 2, from 10.0.0.7.', 'd-7 登记为桌号 R1 座位 2 终端（来自 10.0.0.7）。'],
  ['position-set', 'tan is now pit supervisor and cage; before: dealer.', 'tan 现为赌区主管、账房；原为荷官。'],
  ['sign-in-failed', 'Somebody could not sign in: nobody has that name, from 10.0.0.7.', '有人 未能登录：没有此姓名（来自 10.0.0.7）。'],
])('the journal says in the language that %s', (kind, sentence, own) => {
  expect(recordText(chinese, kind, sentence)).toBe(own);
  expect(recordText(english, kind, sentence)).toBe(sentence);
});

test('a sentence that the language does not know stays as the journal has it', () => {
  expect(recordText(chinese, 'brand-new', 'Something new happened.')).toBe('Something new happened.');
  expect(recordText(chinese, 'seat-locked', 'Seat 4 sings.')).toBe('Seat 4 sings.');
});

test('clauses are restated in the language where it has them', () => {
  expect(chinese.clause('mbs-roulette:5.7', 'A ball that breaks voids the round.')).toBe('球破裂，该局作废。');
  expect(chinese.clause('own:1', 'My rule.')).toBe('My rule.');
  expect(english.clause('mbs-roulette:5.7', 'A ball that breaks voids the round.')).toBe('A ball that breaks voids the round.');
});

test('back in English everything is the house’s own again', async () => {
  const words = new Words();
  words.need('records');
  await words.choose('zh');
  await words.choose('en');
  expect(words.records).toBeNull();
  expect(refusalText(words, { code: 'busy', sentence: 'Try again.' })).toBe('Try again.');
});

test('of two languages chosen at once the later one stays', async () => {
  const words = new Words();
  await Promise.all([words.choose('zh'), words.choose('en')]);
  expect([words.language, words.t('credits')]).toEqual(['en', 'Credits']);
});
