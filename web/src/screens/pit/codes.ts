/** The codes under which the journal has significant events, as the search takes them. */
export const CODES = [
  'table-created', 'table-opened', 'table-closed', 'last-round-announced', 'table-halted', 'table-resumed', 'table-interrupted',
  'limits-changed', 'seat-opened', 'seat-closed', 'seat-lost', 'seat-restored', 'seat-locked', 'seat-unlocked', 'bets-rejected',
  'round-voided', 'result-entered', 'spin-reported-late', 'result-upheld', 'result-corrected', 'seat-corrected', 'shortfall-raised', 'carried-netted', 'carried-settled', 'outcome-stated', 'decision-recorded', 'wheel-reported',
  'credits-paid-out', 'command-refused', 'voucher-voided', 'voucher-expired', 'voucher-reinstated', 'signed-in', 'signed-out', 'sign-in-failed', 'locked-out', 'lock-cleared',
  'attempts-refused', 'authorised', 'sessions-ended', 'staff-added', 'position-set', 'password-set', 'staff-retired', 'code-issued',
  'device-enrolled', 'device-revoked', 'enrolment-failed', 'device-lost', 'device-found', 'server-started', 'server-stopped',
  'software-checked', 'clock-stepped', 'disk-low', 'disk-recovered', 'check-failed', 'check-passed', 'backup-made', 'wheel-suspected',
] as const;
