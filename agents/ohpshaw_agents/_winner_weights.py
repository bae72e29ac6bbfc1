"""The weights of `count-winners`, by their place in its parameter array.

`make_agent` of `ohpshaw_agents.count_winners` takes the same names in the same order and says what each means.
"""

(
    TRUMP,
    TRUMP_HIGHER,
    TRUMP_LENGTH,
    TRUMP_SHORT_SUIT,
    TRUMP_SMALL_HAND,
    TRUMP_PLAYERS,
    SIDE_ACE,
    SIDE_OTHER,
    SIDE_HIGHER,
    SIDE_GUARD,
    SIDE_RUFF,
    SIDE_TRUMPS,
    SIDE_SMALL_HAND,
    LEAD,
    LEAD_LATE,
    BIDS_BEFORE,
    DEMAND,
    AIM_BID,
    AIM_PLAY,
    ZERO_BID,
    TAKER,
    SHEDDER,
    SPOILER,
    TELL,
    SPOIL,
    SPITE,
    LAST_HIGHER,
    ONE_BID,
    ONE_PASS,
    WIZARD_ODDS,
    JESTER_ODDS,
    FREE_THREAT,
) = range(32)
