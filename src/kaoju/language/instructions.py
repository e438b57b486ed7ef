"""Sentences of a document that speak to the machine instead of stating something.

Promises: finds orders to an assistant (to ignore its instructions, to take a
role, to answer in a certain way, to call a tool, to send data away) and orders
to produce a text that no document has reason to give, in Chinese and English.
Refuses: ordinary imperatives; a handbook is full of them ("submit the form
within five days"). Finding nothing proves nothing: what is found is evidence of
an attack, and the defence lies in what text may do at all.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.language.sentences import Span, sentences

_WORKS = "poem|story|essay|letter|speech|song|lyrics|haiku|limerick|joke|recipe|article|blog post|tweet|novel|fable|dialogue|sonnet|screenplay|script|poetry|itinerary|program|function"
_PATTERNS: Final = (
    # what came before shall not count
    r"\b(?:ignore|disregard|forget|override|bypass|discard|do not follow|don't follow)\b[^.!?]{0,15}\b(?:previous|prior|above|earlier|preceding|foregoing|all|your|any|these|those)\b[^.!?]{0,25}\b(?:instructions?|prompts?|guidelines|directions|commands|context|told)\b|\b(?:ignore|disregard|forget) (?:everything|all|anything) (?:above|before|you were told|you know)\b",
    r"(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|抛开|绕过)[^。！？]{0,8}(?:以上|上述|之前|先前|前面|此前|所有|你的|你收到的|一切)[^。！？]{0,12}(?:指令|指示|提示词|提示|命令|设定|限制|内容|规则)",
    # who the machine shall be
    r"\b(?:you are|you're|you must act as|act as|pretend (?:to be|you are)|behave as|role-?play as|from now on,? you)\b[^.!?]{0,40}\b(?:assistant|ai|model|chatbot|bot|agent|hacker|developer mode|unrestricted|jailbroken)\b",
    r"\b(?:dear|hey|hello|hi|attention|note to|message to|instructions? (?:for|to)) (?:the )?(?:ai|llm|assistant|language model|chatbot|chatgpt|claude|gpt|agent)\b",
    r"\b(?:system|developer) (?:prompt|message|instructions?)\s*[:：]|\[/?(?:INST|SYSTEM)\]|<\|(?:im_start|system|user|assistant)\|?>",
    r"(?:你现在是|你将扮演|请扮演|从现在(?:开始|起)，?你|假装你是)|(?:致|给|告诉)(?:AI|人工智能|语言模型|大模型|智能)?(?:助手|助理|模型)[:：，]|系统(?:提示|指令|消息)[:：]",
    # what its answer shall look like
    r"\b(?:in|to|of|with) your (?:answer|response|reply|output|summary)\b|\byour (?:answer|response|reply|output|summary) (?:must|should|has to|shall|needs to|will)\b",
    r"\b(?:reply|respond|answer|output|print)\b (?:only|exactly|solely|just)? ?(?:with|in) (?:the (?:word|phrase|text|language)|only|capital|all caps|emojis?|base64|rot13|morse|french|spanish|german|chinese|latin|rhyme|json)\b",
    r"\b(?:end|begin|start|finish|conclude) (?:every|each|your|the) (?:answer|response|reply|sentence|output|message)\b|\b(?:encode|encrypt|translate) (?:the|your|this|all|every)\b[^.!?]{0,30}\b(?:answer|response|reply|output|message|text)\b",
    r"(?:你的?|您的?)(?:回答|回复|答案|输出|总结)(?:必须|应当|应该|要|需|里|中|开头|结尾|末尾|的开头|的结尾)|(?:只|仅|必须|务必)(?:回答|回复|输出|用[^。]{1,6}回答)|(?:回答|回复)(?:时|前|后)(?:请|必须|务必)",
    # what it shall do
    r"\b(?:call|invoke|use|run|execute|trigger) the\b[^.!?]{0,30}\b(?:tool|function|api|plugin|command)\b|\b(?:send|forward|email|post|upload|exfiltrate|leak|reveal|print|show|repeat)\b[^.!?]{0,50}\b(?:system prompt|your instructions|api[ _-]?keys?|passwords?|credentials|secrets|conversation history|chat history|this conversation)\b",
    r"(?:调用|执行|运行|使用)[^。！？]{0,12}(?:工具|函数|接口|命令|插件)(?:[^。！？]{0,20}(?:删除|发送|转账|转发|上传))|(?:泄露|透露|输出|显示|重复|发送)[^。！？]{0,12}(?:系统提示|提示词|接口密钥|API ?密钥|对话记录|聊天记录)",
    # a text that nobody asked the document for
    rf"^\W*(?:please |kindly |now |then |also |can you |could you )*(?:write|compose|draft|create|generate|produce|provide|craft|develop|tell|prepare|give|design)(?: me| us)? (?:an?|the|some|two|three|\d+)\b[^.!?]{{0,40}}\b(?:{_WORKS})\b",
    r"^\W*(?:请|现在|然后|并)*(?:帮我|为我)?(?:写|作|创作|撰写|起草|编写|讲)(?:一|两|三|几)?[首篇封段个则份支](?:[^。！？]{0,16})(?:诗|故事|文章|信|作文|演讲稿?|歌词?|笑话|代码|程序|短文|小说)",
)  # fmt: skip
_ORDERS: Final = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE | re.MULTILINE)


def instructs(text: str) -> bool:
    """Return whether a sentence speaks to the machine."""
    return _ORDERS.search(text) is not None


def find_instructions(text: str) -> tuple[Span, ...]:
    """Return the sentences of a text that speak to the machine, in order, as exact slices."""
    return tuple(sentence for sentence in sentences(text) if instructs(sentence.text))
