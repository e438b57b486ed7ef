"""The words of questions about tables, Chinese and English: data, no logic.

`PHRASES` maps a kind of token to its payloads and spellings. `SYNONYMS` groups
spellings of one domain-neutral concept, so that a question finds the column
whatever its header calls it, in either language. A word that is in neither,
and not in the table, is unknown, and an unknown word makes a pattern decline.
"""

from __future__ import annotations

from typing import Final

PHRASES: Final[dict[str, dict[str, str]]] = {
    "agg": {
        "sum": "总|总共|一共|总计|合计|总和|总额|总量|共计|加起来|之和|累计|total|sum|sum of|in total|overall|altogether|combined|"
        "total amount of|the total",
        "avg": "平均|平均值|均值|平均数|average|mean|avg|on average|average of",
        "median": "中位数|中位|median",
    },
    "howmany": {
        "count": "多少个|几个|多少家|几家|多少名|几名|多少人|几人|多少位|几位|多少条|几条|多少次|几次|多少笔|几笔|多少项|几项|"
        "多少种|几种|多少件|几件|多少款|几款|多少台|几台|多少张|几张|多少辆|几辆|多少套|几套|多少份|几份|多少批|几批|多少座|几座|多少间|几间|多少栋|几栋|多少本|几本|多少门|几门|多少所|几所|多少艘|几艘|个数|数目|how many|number of|count of|count|the number of|how often|how many times|"
        "次数|项数|总数|total number of",
    },
    "whatvalue": {
        "value": "多少|多少元|多少万元|多少亿元|多少万|多少亿|多少天|是多少元|是多少万元|是多少亿元|是多少|有多少|为多少|多少钱|是什么|什么|多高|多大|多长|多久|how much|how high|how large|how long|how big|"
        "what|what is|what was|what are|what were|what's",
    },
    "super": {
        "desc": "最多|最高|最大|最长|最贵|最重|最强|最好|最久|第一|排名第一|居首|highest|largest|biggest|most|greatest|maximum|max|"
        "longest|top|most expensive|the most|largest number of|highest number of",
        "asc": "最少|最低|最小|最短|最便宜|最轻|倒数第一|lowest|smallest|least|fewest|minimum|min|shortest|bottom|cheapest|"
        "the least|the fewest",
        "date_desc": "最晚|最新|最近|latest|newest|most recent|last to",
        "date_asc": "最早|earliest|first to|oldest",
    },
    "more": {
        "desc": "更高|更多|更大|更长|更贵|higher|larger|bigger|greater|longer",
        "asc": "更低|更少|更小|更短|更便宜|lower|smaller|shorter|cheaper",
    },
    "cmp": {
        ">": "超过|大于|高于|多于|超出|超|长于|more than|greater than|over|above|exceeding|exceeds|exceed|exceeded|larger than|higher than|"
        "longer than|bigger than|>",
        ">=": "不少于|不低于|至少|大于等于|不小于|达到|at least|no less than|not less than|>=|≥",
        "<": "低于|小于|少于|不足|不到|短于|less than|below|under|fewer than|lower than|smaller than|shorter than|<",
        "<=": "不超过|不高于|至多|最多不超过|小于等于|不大于|不多于|at most|no more than|not more than|up to|<=|≤",
        "=": "等于|恰好|正好|equal to|equals|exactly|=",
    },
    "aftercmp": {
        ">=": "以上|及以上|或以上|or more|or above|and above|and over",
        "<=": "以内|及以下|或以下|or less|or fewer|and below",
        "<": "以下",
    },
    "between": {"between": "介于|between|from"},
    "to": {"to": "到|至|~|to"},
    "after_between": {"after": "之间|范围内"},
    "each": {
        "each": "各个|各|每个|每一个|每位|每名|每家|每种|每项|每|分别按|按照|按|依|each|every|per|by|for each|grouped by|broken down by|"
        "group by|split by",
    },
    "order": {
        "order": "排序|排列|排名|排行|排一下|排个名|排个序|排一排|排名次|ranked by|sorted by|ordered by|rank by|sort by|order by|rank|sort|ranking of|ranked|sorted",
    },
    "direction": {
        "desc": "从高到低|由高到低|从大到小|由大到小|从多到少|降序|倒序|descending|in descending order|from highest to lowest|"
        "from high to low|from largest to smallest|highest first|largest first",
        "asc": "从低到高|由低到高|从小到大|由小到大|从少到多|升序|ascending|in ascending order|from lowest to highest|"
        "from low to high|from smallest to largest|lowest first|smallest first",
    },
    "which": {
        "which": "哪个|哪一个|哪一|哪台|哪一台|哪栋|哪辆|哪本|哪张|哪间|哪座|哪条|哪件|哪只|哪门|哪所|哪班|哪届|哪支|哪艘|哪批|哪套|哪份|哪家|哪一家|哪位|哪一位|哪名|哪项|哪一项|哪种|哪款|哪些|哪几个|哪几家|哪几位|哪里|哪|which|which one",
        "who": "谁|哪个人|who|whose",
    },
    "list": {
        "list": "列出|列举|有哪些|都有哪些|是哪些|是哪个|是哪家|名单|清单|是谁|哪几|哪几台|哪几艘|哪几辆|哪几栋|哪几本|哪几门|哪几间|哪几名|有哪几台|有哪几个|显示|展示|list|show|show me|name|give me|display|find|all|所有|全部",
    },
    "diff": {
        "over": "超支|超支额|超支金额|超出预算|超预算|预算超支|超支了|overspend|overspent|over budget|overspending|over-budget|"
        "budget overrun|overrun|overran|cost overrun|went over budget|exceeded its budget|exceeded their budget",
        "under": "节余|结余|节约|预算节余|预算结余|剩余预算|under budget|underspend|underspent|under-budget|budget left|"
        "remaining budget|came in under budget",
        "gap": "差额|差距|相差|差值|之差|差|difference|difference between|gap|gap between|the difference between",
    },
    "growth": {
        "rate": "增长率|增幅|涨幅|增速|同比增长率|growth rate|growth|percentage growth|percent growth",
        "amount": "增长额|增量|增加额|增长|增加|increase|grew|grown|increased",
    },
    "share": {
        "share": "占比|占总额的比例|占总数的比例|占总量的比例|的比例|比重|share of total|share of the total|percentage of total|"
        "percentage of the total|share"
    },
    "not": {
        "not": "不是|不属于|非|除了|除去|不含|不包括|not|not in|excluding|except|except for|other than|without|isn't|aren't"
    },
    "and": {"and": "和|与|以及|及|、|并且|且|同时|而且|and|&|,"},
    "or": {"or": "或者|或|还是|or|either"},
    "entity": {"row": "记录|条目|条记录|行|records|record|rows|entries|entry"},
    "block": {
        "": "为什么|为何|为啥|是否|有没有|没有|怎么|怎样|如何|能否|可否|明年|去年|今年|前年|后年|本年|下季度|上季度|本季度|本月|上月|下月|"
        "同比|环比|预测|预计|未来|将|why|how come|will|would|should|could|may|might|forecast|predict|next|last|if|because",
    },
    "filler": {
        "": "的|了|呢|吗|啊|请问|请|帮我|查一下|查询|查询一下|统计|统计一下|一下|告诉我|我想知道|想知道|是|为|有|在|中|里|其中|当中|内|"
        "属于|达|共|那|这|它们|他们|它|分别|情况|数据|数值|具体|目前|现在|当前|里面|?|!|.|:|;|“|”|\"|'|(|)|-|—|"
        "the|a|an|of|in|is|are|was|were|be|been|do|does|did|has|have|had|for|on|at|with|that|there|please|tell me|"
        "can you|could you|me|us|we|our|i|its|it|their|whose|'s|s|as|those|these|this|who|where|when the|how|so far|"
        "currently|now|belong to|belongs to|belonging to|value|values|amount|figure|figures|data|table|according to|"
        "表|表格|表中|表里|根据|公司|我们|本公司|全公司|company|our company|the company",
    },
}
"""kind -> payload -> spellings, separated by bars; matched after normalisation, the longest first."""

SYNONYMS: Final[tuple[str, ...]] = (
    "预算|预算金额|预算额|计划金额|budget|budgeted|planned budget|budgeted cost|budget amount",
    "实际支出|实际花费|实际成本|实际费用|实际金额|实际|支出|花费|开支|决算|actual|actual cost|actual spend|spend|spending|spent|expenditure",
    "营收|营业收入|收入|销售额|销售收入|revenue|sales|turnover|income|sales revenue",
    "利润|净利润|盈利|profit|net profit|net income|earnings",
    "成本|费用|cost|costs|expense|expenses",
    "部门|科室|所属部门|department|departments|dept|division|divisions|business unit",
    "员工|职工|雇员|人员|姓名|人|学生|学员|同学|会员|选手|student|students|member|members|employee|employees|staff|person|people|worker|workers|employee name",
    "供应商|供货商|厂商|厂家|供方|supplier|suppliers|vendor|vendors|supplier name|vendor name",
    "产品|商品|货品|产品名称|product|products|product name|item|items",
    "项目|项目名称|工程|project|projects|project name",
    "罚款|违约金|罚款金额|违约金额|处罚金额|罚金|扣款|penalty|penalties|fine|fines|fined|penalty amount|fine amount|penalised|penalized",
    "状态|项目状态|status|state",
    "地区|区域|大区|region|regions|area|areas|territory",
    "负责人|负责|项目经理|经理|项目负责人|主管|manager|managers|owner|leader|lead|head|project manager|project leader|in charge of|managed by|led by",
    "请假|休假|请假天数|休假天数|leave|days off|leave days|days of leave|leave taken|days of leave taken",
    "天数|天|日数|days|number of days",
    "数量|件数|quantity|qty|units|volume",
    "销量|销售量|卖出|units sold|sales volume|sold",
    "价格|单价|售价|price|prices|unit price",
    "日期|时间|date|day",
    "城市|city|cities",
    "国家|country|countries",
    "工资|薪资|薪水|月薪|薪酬|salary|salaries|pay|wage|wages",
    "金额|amount|sum of money",
    "原因|事由|理由|reason|reasons|cause|causes",
    "开始日期|开始时间|启动日期|开工日期|start date|started|start|starts|begin date|began|start time",
    "入职日期|入职时间|入职|hire date|hired|date of hire|joined|date joined",
    "结束日期|结束时间|完成日期|截止日期|完工日期|end date|ended|finish date|finished|deadline|due date|completion date|due",
    "客户|顾客|客户名称|customer|customers|client|clients|customer name",
    "等级|级别|level|levels|grade|grades|rank level",
    "年龄|岁数|age",
    "人数|员工人数|headcount|number of people|number of employees",
    "类型|类别|种类|分类|type|types|category|categories|kind|kinds",
    "职位|岗位|职务|position|positions|job title|role|title",
    "合同|合同编号|contract|contracts|contract number|contract no",
    "编号|代码|code|id|number|no",
    "季度|quarter|quarters",
    "年份|年度|年|year|years",
    "月份|月|month|months",
)
"""One concept a line: spellings of both languages, separated by bars."""

PERSON_CONCEPTS: Final = frozenset({"员工", "负责人"})
"""First spellings of the concepts that `who` may ask for."""
BUDGET_CONCEPT: Final = "预算"
ACTUAL_CONCEPT: Final = "实际支出"
YEAR_CONCEPT: Final = "年份"
QUARTER_CONCEPT: Final = "季度"
MONTH_CONCEPT: Final = "月份"

QUANTITIES: Final = frozenset({"天数", "数量", "销量", "人数", "请假"})
"""Concepts whose figures `how many` adds up."""
TOTAL_WORDS: Final = frozenset(
    {
        "total",
        "totals",
        "grand total",
        "subtotal",
        "sum",
        "overall",
        "average",
        "mean",
        "all",
        "合计",
        "总计",
        "小计",
        "总和",
        "共计",
        "平均",
        "汇总",
    }
)
"""First cells of rows that sum up other rows."""

NOT_ADDITIVE: Final = (
    "率", "比例", "占比", "单价", "价格", "平均", "年龄", "评分", "得分", "满意度", "指数", "%", "温度",
    "rate", "ratio", "price", "average", "avg", "age", "score", "rating", "percent", "index", "margin", "mean",
)  # fmt: skip
"""Parts of headers whose figures must not be added up unasked."""

NUMBER_UNITS: Final = (
    "元人民币", "人民币", "元", "块钱", "块", "美元", "天", "个", "人", "名", "次", "件", "家", "台", "套", "岁", "小时", "个月",
    "dollars", "dollar", "usd", "rmb", "yuan", "days", "day", "units", "unit", "people", "hours", "times",
)  # fmt: skip
"""Units that may follow a number and do not change its value."""

NAME_SUFFIXES: Final = ("名称", "姓名", "名字", "名", "name", "title")
"""Ends of headers that make a column the name of its row."""
