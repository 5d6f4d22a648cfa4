/** The few functions of probability that a chart needs. */

const EPSILON = 1e-14;
const MOST_TERMS = 10_000;

/** How many standard deviations hold `count` independent normal values together, but for one time in `1 / level`. */
export function bandOf(level: number, count: number): number {
  const each = level / count;
  let low = 0;
  let high = 40;
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (bothTails(middle) > each) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** How often a normal value lies at least so many standard deviations away, to either side. */
export function bothTails(sigma: number): number {
  return sigma === 0 ? 1 : upperGamma(0.5, (sigma * sigma) / 2);
}

/** The regularised upper incomplete gamma function: a series near zero, a continued fraction beyond. */
function upperGamma(a: number, x: number): number {
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < MOST_TERMS && term > sum * EPSILON; n += 1) {
      term *= x / (a + n);
      sum += term;
    }
    return Math.max(0, 1 - front * sum);
  }
  let b = x + 1 - a;
  let c = 1 / 1e-300;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < MOST_TERMS; n += 1) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b || 1e-300);
    c = b + an / c || 1e-300;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < EPSILON) break;
  }
  return front * fraction;
}

/** Stirling's series, far enough out that four terms give all digits. */
function logGamma(z: number): number {
  let shift = 0;
  let x = z;
  while (x < 15) {
    shift -= Math.log(x);
    x += 1;
  }
  const square = x * x;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / x;
  return shift + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
