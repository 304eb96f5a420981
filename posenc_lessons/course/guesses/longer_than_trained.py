"""The guesses of lesson 08."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "longer-period",
        "“RoPE 是周期的，转一圈就回到原处，所以走得再远，也不会有新的角度。”对吗？",
        "“RoPE is periodic: after a full turn it is back where it was, so however far you go, no angle is "
        "new.” True?",
        wrong(
            "对",
            "Yes",
            "每一对确实是周期的。可慢的对，一个周期比训练长度还长：训练时它没有转满。",
            "Every pair is periodic indeed. But the period of a slow pair is longer than "
            "the training, in which it never came round.",
        ),
        right(
            "只有快的几对是这样",
            "For the fast pairs only",
            "转满了圈的对没有新角度，没转满的几乎全是新角度。训练到 32，8 对里只有 2 对转满了。",
            "Pairs that came round meet nothing new, the others little else. Trained up to 32, only 2 of 8 "
            "pairs came round.",
        ),
        wrong(
            "对每一对都不成立",
            "For no pair at all",
            "位置 33 从来没有见过。可快的对早就转过了整个圆，33 的角度它见过。",
            "Position 33 was never seen, that is true. But the fast pairs went round the whole circle "
            "long before, and know the angle of 33.",
        ),
    ),
    ask(
        "longer-copy",
        "任务是抄 3 步之前的词元，训练长度 32，测到 128。到 128 还全对的是谁？",
        "The task is to copy the token 3 steps back; training length 32, tested up to 128. Who is still "
        "entirely right at 128?",
        wrong(
            "正弦：公式在哪里都算得出",
            "Sinusoidal: its formula works anywhere",
            "它确实算得出。可算出来的是从没见过的向量，模型没有学过怎么用。",
            "It does work anywhere. But what it gives are vectors never seen, and the model never learned "
            "what to do with them.",
        ),
        right(
            "Shaw，表只到 k = 16",
            "Shaw, with a table up to k = 16",
            "距离 3 查的还是那一行，更远的都并成一行，训练时都查过：没有新东西。",
            "Distance 3 reads the row it always read, all that is further shares one, and training read "
            "both: nothing is new.",
        ),
        wrong(
            "ALiBi：它就是为外推设计的",
            "ALiBi: it was made for this",
            "它掉得不多（0.71 到 0.63）。可每步只多扣一点分，准确地数出 3 很难学：32 以内它就没有全对。",
            "It loses little, 0.71 to 0.63. But with a small penalty for each step, counting 3 exactly is "
            "hard to learn: it is not entirely right even within 32.",
        ),
        wrong(
            "RoPE：分数只看距离",
            "RoPE: its scores see only distances",
            "距离 3 的角度确实没变。可更远的键带来没见过的角度，有些会抢走注意力。",
            "The angles of distance 3 are indeed what they were. But keys further off come with "
            "angles never seen, and some of them draw attention away.",
        ),
    ),
    ask(
        "longer-squeeze",
        "把所有位置除以 4，128 就缩回到 32 以内，没有一个新角度。不再训练，马上就能用吗？",
        "Divide all positions by 4, and 128 shrinks back into 32: not one angle is new. Does it work at "
        "once, without further training?",
        wrong(
            "能：没有新东西了",
            "Yes: nothing is new any more",
            "外推的毛病确实没有了。可近处也挤了：一步看上去成了四分之一步。",
            "What hurts extrapolation is gone indeed. But what is near is crowded too: one step "
            "looks like a quarter of a step.",
        ),
        wrong(
            "长文本能，短文本变差",
            "On long texts, but short ones suffer",
            "短文本确实变差。可长文本里也要看“前一个”，它们一样认不出来。",
            "Short ones do suffer. But long texts ask for “the one before” too, and it is "
            "no longer recognised there either.",
        ),
        right(
            "不能",
            "No",
            "不训练，和什么都不改分不出高下；在原来的长度上还差得多。要微调，让模型重新学近处。",
            "Untuned it is tied with no change, and much worse at the old length. It takes fine-tuning, in "
            "which the model learns again what is near.",
        ),
    ),
    ask(
        "longer-tuned",
        "再微调 40 步。什么都不改、位置除以 4、NTK、YaRN，哪一个第一？",
        "Now fine-tune for 40 steps. No change, positions divided by 4, NTK, YaRN: which is first?",
        wrong(
            "总是 YaRN",
            "YaRN, always",
            "它最新，在 `what_followed` 上也确实五个种子都第一。可 `copy_back(12)` 上它弄坏了模型。",
            "It is the newest, and first on `what_followed` with all five seeds. On `copy_back(12)` it "
            "breaks the model.",
        ),
        wrong(
            "总是位置插值",
            "Dividing, always",
            "论文里它微调以后很好。那是 1000 步以内；40 步太少，它还没有学回近处。",
            "In its paper it does well after tuning. That took up to 1000 steps; after 40 it has not learned "
            "again what is near.",
        ),
        right(
            "要看任务",
            "It depends on the task",
            "`what_followed` 上五个种子都是 YaRN；`copy_back(12)` 上不改和 NTK 并列，都是 1.00："
            "看模型靠哪几对读位置。",
            "On `what_followed` it is YaRN with all five seeds; on `copy_back(12)` no change and NTK are "
            "tied at 1.00. It depends on the pairs that the model reads positions with.",
        ),
        wrong(
            "总是 NTK",
            "NTK, always",
            "它两头兼顾，`copy_back(12)` 上和不改并列第一。可 `what_followed` 上，YaRN 五个种子都在它前面。",
            "It minds both ends, and on `copy_back(12)` it is first, level with no change. But on "
            "`what_followed` YaRN is ahead of it with all five seeds.",
        ),
    ),
)
